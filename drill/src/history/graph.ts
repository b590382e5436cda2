import { GrowingArray } from "./growing-array.js";

/** Kinds of edges: why one operation precedes another. Each is one bit. */
export const WRITE_WRITE = 1;
export const WRITE_READ = 2;
export const READ_WRITE = 4;
export const REAL_TIME = 8;

/** `element` is -1 for {@link REAL_TIME}. */
export type Step = { from: number; to: number; kind: number; element: number };
export type Cycle = { name: string; steps: readonly Step[]; size: number };

/**
 * Kinds of cycles, worst first, with the names of Adya and Elle. `once`: exactly one read-write edge. Cycles with real-time edges violate only strict
 * serializability.
 */
const KINDS = [
  { name: "G0", edges: WRITE_WRITE, once: false },
  { name: "G1c", edges: WRITE_WRITE | WRITE_READ, once: false },
  { name: "G-single", edges: WRITE_WRITE | WRITE_READ, once: true },
  { name: "G2", edges: WRITE_WRITE | WRITE_READ | READ_WRITE, once: false },
  { name: "G0-realtime", edges: WRITE_WRITE | REAL_TIME, once: false },
  { name: "G1c-realtime", edges: WRITE_WRITE | WRITE_READ | REAL_TIME, once: false },
  { name: "stale read (G-single-realtime)", edges: WRITE_WRITE | WRITE_READ | REAL_TIME, once: true },
  { name: "G2-realtime", edges: WRITE_WRITE | WRITE_READ | READ_WRITE | REAL_TIME, once: false },
] as const;
const ALL_EDGES = WRITE_WRITE | WRITE_READ | READ_WRITE | REAL_TIME;
/** Maximum searches for a shorter cycle in one component. */
const MAX_SEARCHES = 200;
const MAX_COMPONENTS = 10;

/**
 * Nodes below `operations` are operations; the others are moments. There is an edge from an operation to the moment of its end, from each moment to
 * the next, and to an operation from the last moment before its start: real time costs only three edges per operation.
 */
export class Graph {
  readonly #edges = [Int32Array, Int32Array, Uint8Array, Int32Array].map((type) => new GrowingArray(type));
  #nodes: number;
  /** The edges of node n are from #first[n] to #first[n + 1]. */
  #first = new Int32Array(0);
  #to = new Int32Array(0);
  #kind = new Uint8Array(0);
  #element = new Int32Array(0);
  /**
   * `#order` and `#low`: order of discovery, and lowest reachable order, in a depth-first search. `#by`: the edge by which a path search reached a
   * node.
   */
  #order = new Int32Array(0);
  #low = new Int32Array(0);
  #by = new Int32Array(0);
  /** 1 for the nodes of the component that is being searched, otherwise 0. */
  #member = new Int32Array(0);

  constructor(private readonly operations: number) {
    this.#nodes = operations;
  }

  addMoment(): number {
    this.#nodes += 1;
    return this.#nodes - 1;
  }

  addEdge(from: number, to: number, kind: number, element = -1): void {
    if (from === to) return;
    for (const [at, value] of [from, to, kind, element].entries()) this.#edges[at]?.push(value);
  }

  /** Returns the shortest cycle of the worst kind in each component. */
  findCycles(): Cycle[] {
    this.#sortEdges();
    const all = Int32Array.from({ length: this.#nodes }, (_, node) => node);
    const components = this.#findComponents(all, ALL_EDGES);
    return components
      .toSorted((one, other) => one.length - other.length)
      .slice(0, MAX_COMPONENTS)
      .flatMap((component) => this.#findWorst(component) ?? []);
  }

  #sortEdges(): void {
    const [from, to, kind, element] = this.#edges;
    if (!from || !to || !kind || !element) return;
    this.#first = new Int32Array(this.#nodes + 1);
    for (let edge = 0; edge < from.length; edge += 1) add(this.#first, from.get(edge) + 1, 1);
    for (let node = 0; node < this.#nodes; node += 1) add(this.#first, node + 1, at(this.#first, node));
    const next = this.#first.slice();
    [this.#to, this.#element] = [new Int32Array(from.length), new Int32Array(from.length)];
    this.#kind = new Uint8Array(from.length);
    for (let edge = 0; edge < from.length; edge += 1) {
      const place = at(next, from.get(edge));
      add(next, from.get(edge), 1);
      this.#to[place] = to.get(edge);
      this.#kind[place] = kind.get(edge);
      this.#element[place] = element.get(edge);
    }
    [this.#order, this.#low] = [new Int32Array(this.#nodes), new Int32Array(this.#nodes)];
    [this.#by, this.#member] = [new Int32Array(this.#nodes).fill(-1), new Int32Array(this.#nodes)];
  }

  /** Finds strongly connected components with Tarjan's algorithm, without recursion. @returns components of more than one node. */
  #findComponents(nodes: Int32Array, edges: number): Int32Array[] {
    const found: Int32Array[] = [];
    // 0: not discovered; negative: its component is complete.
    for (const node of nodes) this.#order[node] = 0;
    let discovered = 0;
    const open = new GrowingArray(Int32Array);
    const path: number[] = [];
    const nextEdge: number[] = [];
    const discover = (node: number): void => {
      discovered += 1;
      this.#order[node] = discovered;
      this.#low[node] = discovered;
      open.push(node);
      path.push(node);
      nextEdge.push(at(this.#first, node));
    };
    for (const root of nodes) {
      if (at(this.#order, root) !== 0) continue;
      discover(root);
      while (path.length > 0) {
        const node = path[path.length - 1] ?? 0;
        const edge = nextEdge[nextEdge.length - 1] ?? 0;
        if (edge < at(this.#first, node + 1)) {
          nextEdge[nextEdge.length - 1] = edge + 1;
          const to = at(this.#to, edge);
          if ((at(this.#kind, edge) & edges) === 0 || at(this.#member, to) !== at(this.#member, node))
            continue;
          if (at(this.#order, to) === 0) discover(to);
          else if (at(this.#order, to) > 0)
            this.#low[node] = Math.min(at(this.#low, node), at(this.#order, to));
          continue;
        }
        path.pop();
        nextEdge.pop();
        const parent = path[path.length - 1];
        if (parent !== undefined) this.#low[parent] = Math.min(at(this.#low, parent), at(this.#low, node));
        if (at(this.#low, node) !== at(this.#order, node)) continue;
        const component: number[] = [];
        let member = -1;
        while (member !== node) {
          member = open.pop();
          this.#order[member] = -1;
          component.push(member);
        }
        if (component.length > 1) found.push(Int32Array.from(component));
      }
    }
    return found;
  }

  #findWorst(component: Int32Array): Cycle | undefined {
    const size = component.filter((node) => node < this.operations).length;
    for (const node of component) this.#member[node] = 1;
    try {
      for (const { name, edges, once } of KINDS) {
        const steps = once ? this.#findWithOne(component, edges) : this.#findShortest(component, edges);
        if (steps) return { name, steps, size };
      }
      return undefined;
    } finally {
      for (const node of component) this.#member[node] = 0;
    }
  }

  #findShortest(component: Int32Array, edges: number): Step[] | undefined {
    let shortest: Step[] | undefined;
    let searches = 0;
    for (const part of this.#findComponents(component, edges))
      for (const node of part) {
        if (node >= this.operations) continue;
        searches += 1;
        if (searches > MAX_SEARCHES) return shortest;
        shortest = shorter(shortest, this.#findPath(node, node, edges));
      }
    return shortest;
  }

  /** Finds the shortest cycle of one read-write edge and a path of the allowed edges. */
  #findWithOne(component: Int32Array, edges: number): Step[] | undefined {
    let shortest: Step[] | undefined;
    let searches = 0;
    for (const from of component)
      for (let edge = at(this.#first, from); edge < at(this.#first, from + 1); edge += 1) {
        const to = at(this.#to, edge);
        if (at(this.#kind, edge) !== READ_WRITE || at(this.#member, to) !== 1) continue;
        searches += 1;
        if (searches > MAX_SEARCHES) return shortest;
        const back = this.#findPath(to, from, edges);
        const first = { from, to, kind: READ_WRITE, element: at(this.#element, edge) };
        if (back) shortest = shorter(shortest, [first, ...back]);
      }
    return shortest;
  }

  /** Finds the path with the fewest operations inside the current component, breadth first; moments cost nothing. */
  #findPath(source: number, target: number, edges: number): Step[] | undefined {
    const visited: number[] = [];
    let level = [source];
    let isFound = false;
    while (level.length > 0 && !isFound) {
      const next: number[] = [];
      for (const node of level)
        for (let edge = at(this.#first, node); edge < at(this.#first, node + 1) && !isFound; edge += 1) {
          const to = at(this.#to, edge);
          if ((at(this.#kind, edge) & edges) === 0 || at(this.#member, to) !== 1) continue;
          if (at(this.#by, to) !== -1 || (to === source && to !== target)) continue;
          this.#by[to] = edge;
          visited.push(to);
          isFound = to === target;
          // Moments join the current level while it is being traversed.
          (to < this.operations ? next : level).push(to);
        }
      level = next;
    }
    const steps = isFound ? this.#readPath(source, target) : undefined;
    for (const node of visited) this.#by[node] = -1;
    return steps;
  }

  #readPath(source: number, target: number): Step[] {
    const steps: Step[] = [];
    let to = target;
    let node = target;
    do {
      const edge = at(this.#by, node);
      const from = this.#sourceOf(edge);
      if (from < this.operations) {
        steps.unshift({ from, to, kind: at(this.#kind, edge), element: at(this.#element, edge) });
        to = from;
      }
      node = from;
    } while (node !== source);
    return steps;
  }

  #sourceOf(edge: number): number {
    let [low, high] = [0, this.#nodes - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (at(this.#first, middle) <= edge) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const shorter = (one: Step[] | undefined, other: Step[] | undefined): Step[] | undefined =>
  one && (!other || one.length <= other.length) ? one : other;

const at = (array: Int32Array | Uint8Array, index: number): number => array[index] ?? 0;

function add(array: Int32Array, index: number, value: number): void {
  array[index] = at(array, index) + value;
}
