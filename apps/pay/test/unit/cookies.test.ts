import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { storeCookie } from "../../src/http/shopper";

const storedBy = (
  ...[name, value, options]: [name: "session" | "visitor", value: string, options?: object]
) =>
  [true, false].map((secure) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    storeCookie(response, { secure }, name, value, options);
    return response.getHeader("Set-Cookie");
  });

describe("storeCookie", () => {
  it("uses the __Host- prefix and path / over HTTPS, and no prefix over plain HTTP", () => {
    expect(storedBy("session", "abc", { maxAgeSeconds: 60 })).toEqual([
      ["__Host-tillgate_pay_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60"],
      ["tillgate_pay_session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"],
    ]);
    expect(storedBy("visitor", "abc")).toEqual([
      ["__Host-tillgate_pay_visitor=abc; Path=/; HttpOnly; SameSite=Lax; Secure"],
      ["tillgate_pay_visitor=abc; Path=/; HttpOnly; SameSite=Lax"],
    ]);
  });
});
