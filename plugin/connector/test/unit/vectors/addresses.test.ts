import { isLiveAddress, isSecureAddress, parseAddress } from "@tillgate/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { readVectors } from "./read-vectors.js";

const { cases } = readVectors(
  "addresses",
  z.strictObject({
    cases: z.array(z.strictObject({ address: z.string(), secure: z.boolean(), live: z.boolean() })),
  }),
);

it.each(cases)("isSecureAddress and isLiveAddress classify $address", ({ address, secure, live }) => {
  const url = parseAddress(address);
  expect({ secure: url !== undefined && isSecureAddress(url), live: isLiveAddress(address) }).toEqual({
    secure,
    live,
  });
});
