// How a note is drawn on the canvas: a disc that glows where it is clear, grows soft as it blurs, and is a ring when blank.

import "./webgl.js";
import { NodeProgram } from "sigma/rendering";
import { floatColor } from "sigma/utils";

const VERTEX = `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_clarity;
attribute float a_angle;
uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
varying vec4 v_color;
varying vec2 v_offset;
varying float v_clarity;
void main() {
  float reach = a_size * u_correctionRatio / u_sizeRatio * 4.0 * GLOW;
  vec2 corner = vec2(cos(a_angle), sin(a_angle));
  gl_Position = vec4((u_matrix * vec3(a_position + reach * corner, 1)).xy, 0, 1);
  v_offset = corner * 2.0 * GLOW;
  v_clarity = a_clarity;
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= 255.0 / 254.0;
}
`;

const FRAGMENT = `
precision highp float;
varying vec4 v_color;
varying vec2 v_offset;
varying float v_clarity;
void main(void) {
  float away = length(v_offset); // 1 at the rim
  #ifdef PICKING_MODE
  gl_FragColor = away > 1.15 ? vec4(0.0) : v_color;
  #else
  float soft = mix(0.62, 0.07, smoothstep(0.1, 0.75, v_clarity));
  float disc = 1.0 - smoothstep(1.0 - soft, 1.0 + 0.4 * soft, away);
  float hollow = mix(smoothstep(0.25, 0.95, away), 1.0, smoothstep(0.1, 0.4, v_clarity));
  float glow = pow(max(0.0, 1.0 - away / GLOW), 2.2) * (0.12 + 0.5 * v_clarity);
  float alpha = v_color.a * max(disc * hollow * mix(0.55, 1.0, v_clarity), glow);
  gl_FragColor = vec4(v_color.rgb * alpha, alpha);
  #endif
}
`;

const { UNSIGNED_BYTE = 5121, FLOAT = 5126, TRIANGLES = 4 } = WebGLRenderingContext;

// `glow`: how far the light reaches, in radii; a crowd is drawn without, for it costs time.
export function memoryProgram(glow) {
  const written = (source) => source.replaceAll("GLOW", glow.toFixed(2));
  return class MemoryProgram extends NodeProgram {
    getDefinition() {
      return {
        VERTICES: 3,
        VERTEX_SHADER_SOURCE: written(VERTEX),
        FRAGMENT_SHADER_SOURCE: written(FRAGMENT),
        METHOD: TRIANGLES,
        UNIFORMS: ["u_sizeRatio", "u_correctionRatio", "u_matrix"],
        ATTRIBUTES: [
          { name: "a_position", size: 2, type: FLOAT },
          { name: "a_size", size: 1, type: FLOAT },
          { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_clarity", size: 1, type: FLOAT },
          { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_angle", size: 1, type: FLOAT }],
        CONSTANT_DATA: [[0], [(2 * Math.PI) / 3], [(4 * Math.PI) / 3]],
      };
    }

    processVisibleItem(index, start, data) {
      const { array } = this;
      array[start++] = data.x;
      array[start++] = data.y;
      array[start++] = data.size;
      array[start++] = floatColor(data.color);
      array[start++] = data.clarity;
      array[start++] = index;
    }

    setUniforms({ correctionRatio, sizeRatio, matrix }, { gl, uniformLocations }) {
      gl.uniform1f(uniformLocations.u_correctionRatio, correctionRatio);
      gl.uniform1f(uniformLocations.u_sizeRatio, sizeRatio);
      gl.uniformMatrix3fv(uniformLocations.u_matrix, false, matrix);
    }
  };
}
