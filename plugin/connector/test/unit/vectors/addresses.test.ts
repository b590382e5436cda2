import { isLiveAddress, isSecureAddress } from "@tillgate/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { readVectors } from "./read-vectors.js";

const { cases } = readVectors(
  "addresses",
  z.strictObject({
    cases: z.array(z.strictObject({ address: z.string(), secure: z.boolean(), live: z.boolean() })),
  }),
);

it.each(cases)("$address", ({ address, secure, live }) => {
  expect({ secure: isSecureAddress(new URL(address)), live: isLiveAddress(address) }).toEqual({
    secure,
    live,
  });
});
