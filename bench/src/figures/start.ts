import type { Figure } from "../figure.js";

/** The first start of all, with a new database: what `npm start` does once everything is installed and built. */
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
