import type { Figure } from "../figure.js";

export const start: Figure = {
  name: "start",
  async measure({ startMs }) {
    const seconds = Math.round(startMs / 100) / 10;
    return [
      {
        what: "start of the whole product, to all healthy, in seconds",
        measured: `${seconds} s`,
        reference: "",
        value: seconds,
        target: { below: 15 },
      },
    ];
  },
};
