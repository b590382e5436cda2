import { expect, it } from "vitest";
import { z } from "zod";
import { evaluateSigners } from "../../../src/payments/credentials.js";
import { readVectors } from "./read-vectors.js";

const credential = z.strictObject({ mode: z.enum(["sandbox", "live"]), client_id: z.string() });
const vectors = readVectors(
  "secrets",
  z.strictObject({
    known: z.record(z.string(), credential.extend({ secret: z.string(), retired: z.boolean() })),
    cases: z.array(
      z.strictObject({
        name: z.string(),
        signed_by: z.array(z.string()),
        without: z.array(z.string()).default([]),
        attempt: credential.nullable(),
        expect: z.enum(["act", "confirm", "reject"]),
      }),
    ),
  }),
);

it.each(vectors.cases)(
  "evaluateSigners returns $expect: $name",
  ({ signed_by, without, attempt, expect: expected }) => {
    const known = Object.entries(vectors.known)
      .filter(([name]) => !without.includes(name))
      // The current secret comes first.
      .toSorted(([, one], [, other]) => Number(one.retired) - Number(other.retired))
      .map(([, { mode, client_id, secret }]) => ({ mode, clientId: client_id, clientSecret: secret }));
    const signing = signed_by.map((name) => vectors.known[name]?.secret);
    const of = attempt === null ? null : { mode: attempt.mode, clientId: attempt.client_id };
    expect(evaluateSigners(known, of, (secret) => signing.includes(secret))).toBe(expected);
  },
);
