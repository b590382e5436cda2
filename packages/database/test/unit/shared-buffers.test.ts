import { expect, it } from "vitest";
import { chooseSharedBuffers } from "../../src/embedded/data-directory.js";

const GIB = 1024 ** 3;

it.each([
  [GIB / 2, "128MB"],
  [GIB, "128MB"],
  [GIB + GIB / 128, "129MB"],
  [4 * GIB, "512MB"],
  [8 * GIB - GIB / 128, "1023MB"],
  [8 * GIB, "1024MB"],
  [64 * GIB, "1024MB"],
])(
  "PostgreSQL gets an eighth of the memory as shared buffers, from 128 MB to 1 GB: of %d bytes, %s",
  (memory, expected) => {
    expect(chooseSharedBuffers(memory)).toBe(expected);
  },
);
