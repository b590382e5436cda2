import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { clientAddress } from "../../../src/web/visitor.js";

function request(peer: string, forwarded?: string) {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: peer });
  return { socket, headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } };
}

describe("clientAddress", () => {
  it("is the peer's address when no proxy is trusted", () => {
    expect(clientAddress(request("203.0.113.7", "198.51.100.1"), 0)).toBe("203.0.113.7");
    expect(clientAddress(request("::ffff:203.0.113.7"), 0)).toBe("203.0.113.7");
  });

  it("is the address seen by the outermost trusted proxy, not an address claimed by the client", () => {
    const claimed = "1.1.1.1, 198.51.100.1, 10.0.0.2";
    expect(clientAddress(request("10.0.0.3", claimed), 1)).toBe("10.0.0.2");
    expect(clientAddress(request("10.0.0.3", claimed), 2)).toBe("198.51.100.1");
  });

  it("falls back to the peer when the header is missing or has too few entries", () => {
    expect(clientAddress(request("10.0.0.3"), 1)).toBe("10.0.0.3");
    expect(clientAddress(request("10.0.0.3", "198.51.100.1"), 2)).toBe("10.0.0.3");
  });
});
