// The picture of notes and links: what stands in it, how it looks, and what happens when somebody points at it.

import "./webgl.js";
import Graph from "graphology";
import { EdgeLineProgram, EdgeRectangleProgram } from "sigma/rendering";
import { clarity, noteLabel } from "../mind/faded_text.js";
import { colour } from "../page/theme.js";
import { Layout, nearby, spiral } from "./graph_layout.js";
import { MovingPicture } from "./moving_picture.js";
import { CrowdProgram, MemoryProgram } from "./memory_program.js";

const CROWD = 2500;
const FONT = '"Iowan Old Style", Palatino, "Noto Serif", "Noto Serif CJK SC", "Songti SC", Georgia, serif';

export class MemoryGraph {
  constructor(place, { onOpen, onRest }) {
    this.place = place;
    this.graph = new Graph({ type: "undirected", multi: true });
    this.notes = new Map();
    this.hovered = null;
    this.chosen = null;
    this.layout = new Layout(this.graph, () => {
      place.dataset.settled = "yes";
      onRest?.();
    });
    this.renderer = new MovingPicture(this.graph, place, {
      allowInvalidContainer: true,
      defaultNodeType: "memory",
      nodeProgramClasses: { memory: MemoryProgram, crowd: CrowdProgram },
      edgeProgramClasses: { line: EdgeRectangleProgram, crowd: EdgeLineProgram },
      defaultDrawNodeLabel: (context, data) => this.drawLabel(context, data),
      defaultDrawNodeHover: (context, data) => this.drawHover(context, data),
      nodeReducer: (node, data) => this.nodeLook(node, data),
      edgeReducer: (edge, data) => this.edgeLook(edge, data),
      labelDensity: 0.7,
      labelGridCellSize: 110,
      labelRenderedSizeThreshold: 5.5,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      minEdgeThickness: 0.6,
      stagePadding: 60,
      zIndex: true,
    });
    this.labelled = []; // where labels stand in this frame: none is written over another
    this.renderer.on("beforeRender", () => {
      this.labelled = [];
      CrowdProgram.isMoving = this.renderer.isMoving;
    });
    this.renderer.on("clickNode", ({ node }) => onOpen(node));
    this.renderer.on("clickStage", () => this.choose(null));
    this.renderer.on("enterNode", ({ node }) => this.point(node));
    this.renderer.on("leaveNode", () => this.point(null));
    for (const event of ["pointerdown", "wheel", "touchmove"]) place.addEventListener(event, () => this.layout.hold(), { passive: true });
    this.paint();
  }

  get order() {
    return this.graph.order;
  }

  get isCrowd() {
    return this.graph.order > CROWD;
  }

  // Adds what is not there yet; new notes appear beside the one they came from.
  add(notes, links, from = null) {
    const { graph } = this;
    const origin = from && graph.hasNode(from) ? graph.getNodeAttributes(from) : null;
    notes.forEach((note, at) => {
      this.notes.set(note.id, note);
      if (graph.hasNode(note.id)) return;
      const where = origin ? nearby(origin, at) : spiral(graph.order, notes.length);
      graph.addNode(note.id, { ...where, size: 4, kind: note.kind, clarity: clarity(note), weight: note.importance, label: null });
    });
    for (const link of links) {
      if (graph.hasEdge(link.id) || link.src === link.dst || !graph.hasNode(link.src) || !graph.hasNode(link.dst)) continue;
      graph.addEdgeWithKey(link.id, link.src, link.dst, { weight: Math.max(0.02, link.strength), kind: link.kind });
    }
    this.measure();
    this.place.dataset.settled = "no";
    this.place.dataset.notes = String(graph.order);
    this.layout.start();
  }

  // Takes what is so now: the picture moves only where something came.
  renew(notes, links, gone) {
    const { graph } = this;
    for (const id of gone) {
      if (graph.hasNode(id)) graph.dropNode(id);
      this.notes.delete(id);
    }
    if (gone.includes(this.chosen)) this.choose(null);
    const hasNew = notes.some((note) => !graph.hasNode(note.id)) || links.some((link) => !graph.hasEdge(link.id) && link.src !== link.dst && graph.hasNode(link.src) && graph.hasNode(link.dst));
    if (hasNew) return this.add(notes, links);
    for (const note of notes) this.notes.set(note.id, note);
    this.measure();
    this.place.dataset.notes = String(graph.order);
    return undefined;
  }

  clear() {
    this.layout.stop();
    this.graph.clear();
    this.notes.clear();
    this.hovered = this.chosen = null;
  }

  // The more leads to a note, and the more it matters, the larger it is.
  measure() {
    const isCrowd = this.isCrowd;
    this.graph.updateEachNodeAttributes((node, data) => {
      const pull = this.graph.reduceEdges(node, (sum, _, { weight }) => sum + weight, 0);
      const note = this.notes.get(node);
      const size = (isCrowd ? 1.2 : 4) + (isCrowd ? 0.8 : 2.6) * Math.sqrt(pull) + (isCrowd ? 1 : 3.5) * note.importance;
      return { ...data, weight: note.importance, size: Math.min(size, isCrowd ? 7 : 17), type: isCrowd ? "crowd" : "memory", clarity: clarity(note), label: noteLabel(note, 32) };
    });
    this.renderer.setSetting("hideEdgesOnMove", isCrowd);
    this.renderer.setSetting("hideLabelsOnMove", isCrowd);
    this.renderer.setSetting("labelRenderedSizeThreshold", isCrowd ? 4.2 : 5.5);
  }

  // Takes the colours of the theme.
  paint() {
    this.ink = colour("ink");
    this.ground = colour("ground");
    this.edge = colour("edge");
    this.accent = colour("accent");
    this.faint = colour("faint");
    this.grave = colour("grave");
    this.mixed = new Map();
    this.kinds = new Proxy({}, { get: (kept, kind) => (kept[kind] ??= colour(`kind-${String(kind)}`) || this.ink) });
    this.renderer.refresh();
  }

  choose(node) {
    this.chosen = node && this.graph.hasNode(node) ? node : null;
    this.near = this.focused() ? new Set(this.graph.neighbors(this.focused())) : null;
    this.renderer.refresh({ skipIndexation: true });
  }

  // Brings a note into the middle, close enough that its neighbours can be read.
  lookAt(node) {
    const place = this.renderer.getNodeDisplayData(node);
    if (!place) return;
    const ratio = this.isCrowd ? 0.06 : this.graph.order > 25 ? 0.5 : 0.9;
    void this.renderer.getCamera().animate({ x: place.x, y: place.y, ratio }, { duration: 500 });
  }

  point(node) {
    this.place.style.cursor = node ? "pointer" : "";
    if (this.isCrowd) return; // the others would have to be drawn anew
    this.hovered = node;
    this.choose(this.chosen);
  }

  focused() {
    const wanted = this.hovered ?? this.chosen;
    return wanted && this.graph.hasNode(wanted) ? wanted : null;
  }

  nodeLook(node, data) {
    const focus = this.focused();
    const isNear = !focus || node === focus || this.near?.has(node);
    const look = { ...data, color: isNear ? this.kinds[data.kind] : this.faint, zIndex: isNear ? 1 : 0 };
    if (focus && !isNear) look.label = null;
    if (node === this.chosen || node === focus) Object.assign(look, { size: data.size * 1.25, forceLabel: true, zIndex: 2 });
    else if (focus && isNear && (this.near?.size ?? 0) < 12) look.forceLabel = true;
    return look;
  }

  edgeLook(edge, data) {
    const focus = this.focused();
    const isNear = focus && this.graph.hasExtremity(edge, focus);
    const strength = Math.min(1, data.weight);
    const type = this.isCrowd ? "crowd" : "line";
    if (focus && !isNear) return { ...data, type, color: this.mix(this.edge, 0.12), size: 0.6, zIndex: 0 };
    const shade = data.kind === "supersedes" ? this.grave : isNear ? this.accent : this.edge;
    return { ...data, type, color: this.mix(shade, isNear ? 0.6 + 0.4 * strength : 0.42 + 0.5 * strength), size: 1.1 + 3.4 * strength, zIndex: isNear ? 1 : 0 };
  }

  mix(shade, alpha) {
    const key = `${shade}${alpha.toFixed(2)}`;
    if (!this.mixed.has(key)) this.mixed.set(key, over(shade, this.ground, Math.min(1, alpha)));
    return this.mixed.get(key);
  }

  drawLabel(context, data) {
    if (!data.label) return;
    const isFocus = data.forceLabel;
    context.font = `${isFocus ? "italic 600 14px" : "13px"} ${FONT}`;
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = this.ground;
    context.fillStyle = this.ink;
    const [right, y] = [data.x + data.size + 6, data.y + 4.5];
    const wide = context.measureText(data.label).width;
    const left = right + wide > this.place.clientWidth - 6 ? data.x - data.size - 6 - wide : right; // else it is cut off
    const room = [left, y - 13, left + wide, y + 5];
    if (this.labelled.some((other) => overlap(room, other)) && !data.isHovered) return;
    this.labelled.push(room);
    context.globalAlpha = isFocus ? 1 : 0.45 + 0.55 * Math.min(1, data.clarity * 1.3);
    context.strokeText(data.label, left, y);
    context.fillText(data.label, left, y);
    context.globalAlpha = 1;
  }

  drawHover(context, data) {
    context.beginPath();
    context.arc(data.x, data.y, data.size + 4, 0, 2 * Math.PI);
    context.lineWidth = 1.5;
    context.strokeStyle = this.accent;
    context.stroke();
    this.drawLabel(context, { ...data, forceLabel: true, isHovered: true });
  }

  move(dx, dy) {
    const camera = this.renderer.getCamera();
    const { x, y, ratio } = camera.getState();
    camera.setState({ x: x + dx * ratio, y: y + dy * ratio });
    this.layout.hold();
  }

  zoom(by) {
    const camera = this.renderer.getCamera();
    void (by > 0 ? camera.animatedZoom({ duration: 160 }) : camera.animatedUnzoom({ duration: 160 }));
  }

  fit() {
    void this.renderer.getCamera().animatedReset({ duration: 300 });
  }

  end() {
    this.layout.stop();
    this.renderer.kill();
  }
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

const parts = (shade) => [1, 3, 5].map((at) => Number.parseInt(shade.slice(at, at + 2), 16) || 0);

// One colour of the theme over another, `alpha` of it: lines that let nothing shine through cost no blending.
function over(shade, ground, alpha) {
  const [above, below] = [parts(shade), parts(ground)];
  return `#${above.map((each, at) => Math.round(each * alpha + below[at] * (1 - alpha)).toString(16).padStart(2, "0")).join("")}`;
}
