// Sigma, with less to do in each frame of a movement. What stands under the pointer is not asked for meanwhile, as to read
// it back would wait for the frame; and layers that stay empty while a crowd moves are not emptied again.

import "./webgl.js";
import Sigma from "sigma";

const COLOR_BUFFER_BIT = 16384;

export class MovingPicture extends Sigma {
  get isMoving() {
    const captor = this.getMouseCaptor();
    return this.getCamera().isAnimated() || captor.isMoving || captor.draggedEvents > 0;
  }

  getNodeAtPosition(position) {
    return this.isMoving ? null : super.getNodeAtPosition(position);
  }

  clear() {
    const isBare = this.isMoving && this.getSetting("hideEdgesOnMove") && this.getSetting("hideLabelsOnMove");
    this.isKept = isBare && this.wasBare;
    this.wasBare = isBare;
    if (!this.isKept) return super.clear();
    const gl = this.webGLContexts.nodes;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clear(COLOR_BUFFER_BIT);
    return this;
  }

  resetWebGLTexture(layer) {
    return this.isKept ? this : super.resetWebGLTexture(layer);
  }
}
