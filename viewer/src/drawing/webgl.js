// Whether this browser draws WebGL. Imported before sigma, which takes the name for granted.

globalThis.WebGLRenderingContext ??= class WebGLRenderingContext {};

export function drawsWebgl() {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") ?? canvas.getContext("webgl"));
}
