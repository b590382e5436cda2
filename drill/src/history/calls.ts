import { GrowingArray } from "./growing-array.js";
import { type Operation, OUTCOMES, type Outcome } from "./operation.js";

/** Stores the calls of a history in typed arrays: a million operations need about 100 MB. */
export class Calls {
  readonly #names: string[] = [];
  readonly #call = new GrowingArray(Uint8Array);
  readonly #client = new GrowingArray(Int32Array);
  readonly #start = new GrowingArray(Float64Array);
  readonly #end = new GrowingArray(Float64Array);
  readonly #outcome = new GrowingArray(Uint8Array);

  get count(): number {
    return this.#start.length;
  }
  startOf = (call: number): number => this.#start.get(call);
  /** Returns when the call's response arrived; infinity for an unknown outcome, which may take effect at any later time. */
  endOf = (call: number): number => (this.outcomeOf(call) === "unknown" ? Infinity : this.#end.get(call));
  outcomeOf = (call: number): Outcome => OUTCOMES[this.#outcome.get(call)] ?? "unknown";

  add({ call, client, start, end, outcome }: Operation): number {
    const known = this.#names.indexOf(call);
    this.#call.push(known < 0 ? this.#names.push(call) - 1 : known);
    this.#client.push(client);
    this.#start.push(start);
    this.#end.push(end);
    return this.#outcome.push(OUTCOMES.indexOf(outcome));
  }

  /** Describes a call. Its times are relative to the beginning of the record. */
  describe(call: number): string {
    const seconds = (at: number): string => `${((at - this.#start.get(0)) / 1_000).toFixed(4)} s`;
    const name = this.#names[this.#call.get(call)];
    const times = `${seconds(this.#start.get(call))} to ${seconds(this.#end.get(call))}`;
    return `${name} of client ${this.#client.get(call)}, ${times}, ${this.outcomeOf(call)}`;
  }
}
