type ArrayType = Float64ArrayConstructor | Int32ArrayConstructor | Uint8ArrayConstructor;

const FIRST_SIZE = 1_024;

/** Stores unboxed numbers. A million operations need about ten million of them. */
export class GrowingArray {
  #values: Float64Array | Int32Array | Uint8Array;
  length = 0;

  constructor(private readonly type: ArrayType) {
    this.#values = new type(FIRST_SIZE);
  }

  get(at: number): number {
    const value = at < this.length ? this.#values[at] : undefined;
    if (value === undefined)
      throw new RangeError(`index ${at} is out of range: the length is ${this.length}`);
    return value;
  }

  set(at: number, value: number): void {
    if (at >= this.length) throw new RangeError(`index ${at} is out of range: the length is ${this.length}`);
    this.#values[at] = value;
  }

  /** Appends an item. @returns its position. */
  push(value: number): number {
    if (this.length === this.#values.length) {
      const larger = new this.type(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }

  pop(): number {
    const last = this.get(this.length - 1);
    this.length -= 1;
    return last;
  }
}
