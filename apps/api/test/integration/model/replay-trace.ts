import { isDeepStrictEqual } from "node:util";
import type { ApiProcess } from "../../support/api-process.js";
import type { ModelCall, Trace } from "../../support/quint.js";
import type { Sandbox } from "../../support/sandbox.js";
import { makeCall, setScene } from "./calls.js";
import { expectByApi, expectResource, readByApi, readState, toComparable } from "./state.js";

/** A difference between the model and the API, and the calls up to it. */
export class Disagreement extends Error {
  constructor(calls: readonly ModelCall[], expected: object, actual: object) {
    super(
      [
        ...calls.map(({ tag, value }, step) => `${step + 1}. ${tag} ${JSON.stringify(value)}`),
        `model: ${JSON.stringify(expected)}`,
        `api:   ${JSON.stringify(actual)}`,
      ].join("\n"),
    );
  }
}

/**
 * Makes the calls of a trace for a new merchant. Compares the outcome and the whole state with the model after every call, and
 * everything that the merchant can read at the end.
 * @throws Disagreement
 */
export async function replayTrace(sandbox: Sandbox, server: ApiProcess, trace: Trace): Promise<void> {
  const [start, ...steps] = trace;
  if (!start) throw new Error("the trace is empty, without a start state");
  const scene = await setScene(sandbox, server, start.state);
  const calls: ModelCall[] = [];
  const compare = (expected: object, actual: object): void => {
    if (!isDeepStrictEqual(actual, expected)) throw new Disagreement(calls, expected, actual);
  };
  for (const { call, outcome, state } of steps) {
    calls.push(call);
    const actual = await makeCall(scene, call, calls.length);
    const { resource } = actual;
    const known = resource && scene.ids[resource.kind].includes(resource.id);
    if (resource && !known && actual.outcome === "done") scene.ids[resource.kind].push(resource.id);
    const index = resource ? scene.ids[resource.kind].indexOf(resource.id) : -1;
    compare(
      {
        outcome,
        ...(resource && { seen: expectResource(state, resource.kind, index) }),
        state: toComparable(state),
      },
      { outcome: actual.outcome, ...(resource && { seen: resource.seen }), state: await readState(scene) },
    );
  }
  const last = trace.at(-1)?.state ?? start.state;
  compare(expectByApi(last), await readByApi(scene, last));
}
