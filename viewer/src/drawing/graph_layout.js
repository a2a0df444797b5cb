// Where the notes stand: forces that pull what is linked together, a few steps in each frame, until they rest.

import forceAtlas2 from "graphology-layout-forceatlas2";
import { wantsStillness } from "../page/elements.js";

const CROWD = 1500;
const PAUSE_MS = 1200; // after somebody moved the picture
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

// A place in a spiral that grows outwards: the earliest notes in the middle, like rings of a tree.
export function spiral(at, of) {
  const away = Math.sqrt(at + 0.5) * (of > CROWD ? 1 : 6);
  return { x: away * Math.cos(at * GOLDEN), y: away * Math.sin(at * GOLDEN) };
}

export function nearby({ x, y }, at) {
  const away = 3 + Math.sqrt(at);
  return { x: x + away * Math.cos(at * GOLDEN), y: y + away * Math.sin(at * GOLDEN) };
}

export class Layout {
  constructor(graph, onRest) {
    this.graph = graph;
    this.onRest = onRest;
    this.left = 0;
    this.heldUntil = 0;
    this.frame = 0;
  }

  start() {
    const { order } = this.graph;
    this.left = order > CROWD ? 30 : order > 300 ? 120 : 220;
    if (wantsStillness() && order <= CROWD) {
      this.step(this.left);
      this.left = 0;
    }
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.run());
  }

  // The picture is being moved: what moves in it would make that jerky.
  hold() {
    this.heldUntil = performance.now() + PAUSE_MS;
  }

  stop() {
    this.left = 0;
    cancelAnimationFrame(this.frame);
  }

  run() {
    if (this.left <= 0 || this.graph.order < 2) {
      this.onRest();
      return;
    }
    if (performance.now() > this.heldUntil) {
      const steps = Math.min(this.left, this.graph.order > 300 ? 1 : 2);
      this.step(steps);
      this.left -= steps;
    }
    this.frame = requestAnimationFrame(() => this.run());
  }

  step(iterations) {
    const isCrowd = this.graph.order > CROWD;
    forceAtlas2.assign(this.graph, {
      iterations,
      getEdgeWeight: "weight",
      settings: {
        adjustSizes: false,
        barnesHutOptimize: this.graph.order > 250,
        barnesHutTheta: 0.9,
        edgeWeightInfluence: 0.6,
        gravity: isCrowd ? 0.4 : 2.2,
        linLogMode: false,
        scalingRatio: isCrowd ? 4 : 12,
        slowDown: isCrowd ? 4 : 6 + Math.log(this.graph.order + 1),
        strongGravityMode: false,
      },
    });
  }
}
