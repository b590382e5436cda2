import { expect, it } from "vitest";
import { isTrustedProxyEntry } from "../../../src/settings/kinds.js";

it.each([
  "10.0.0.1",
  "10.0.0.0/8",
  "10.0.0.1/32",
  "::1",
  "fd00::/8",
  "::ffff:10.0.0.1",
  "fe80::/128",
  "loopback",
])("isTrustedProxyEntry accepts %s", (text) => {
  expect(isTrustedProxyEntry(text)).toBe(true);
});

it.each([
  "",
  "everybody",
  "true",
  "1",
  "10.0.0",
  "010.0.0.1",
  "10.0.0.0/33",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "10.0.0.0/-1",
  "::/129",
  "0.0.0.0/0",
  "10.0.0.0/7",
  "::/0",
  "2000::/3",
  "host.example",
])("isTrustedProxyEntry rejects %j", (text) => {
  expect(isTrustedProxyEntry(text)).toBe(false);
});
