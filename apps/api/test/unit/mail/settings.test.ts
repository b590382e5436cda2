import { describe, expect, it } from "vitest";
import { mustBeEncrypted, parseSender, parseSmtpUrl } from "../../../src/settings.js";

describe("TILLGATE_SMTP_URL", () => {
  it("specifies the host, the port, the TLS mode and percent-encoded credentials", () => {
    expect(parseSmtpUrl("smtp://mail.example")).toEqual({
      host: "mail.example",
      port: 587,
      implicitTls: false,
      credentials: undefined,
    });
    expect(parseSmtpUrl("smtps://a%40b:p%3A%2F%20w@mail.example")).toEqual({
      host: "mail.example",
      port: 465,
      implicitTls: true,
      credentials: { user: "a@b", password: "p:/ w" },
    });
    expect(parseSmtpUrl("smtp://[::1]:2525/")).toMatchObject({ host: "::1", port: 2525 });
  });

  it.each([
    "mail.example:587",
    "http://mail.example",
    "smtp://",
    "smtp://mail.example/path",
    "smtp://mail.example?tls=no",
    "smtp://mail.example#x",
    "smtp://mail.example:0",
    "smtp://mail.example:65536",
    "smtp://user@mail.example",
    "smtp://:password@mail.example",
    "smtp://u:%@mail.example",
    "smtp://u:a%0d%0aDATA@mail.example",
    "smtp://mail.example\r\nx",
  ])("rejects %j", (text) => {
    expect(parseSmtpUrl(text)).toBeUndefined();
  });

  it("requires TLS except on localhost and, in development, on hosts that allow plain connections", () => {
    const of = (host: string, production: boolean) =>
      mustBeEncrypted(
        { host, port: 25, implicitTls: false, credentials: undefined },
        { production, httpHosts: ["mailpit"] },
      );
    expect([of("localhost", true), of("127.0.0.1", true), of("::1", true)]).toEqual([false, false, false]);
    expect([of("mail.example", true), of("mail.example", false), of("mailpit", true)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(of("Mailpit", false)).toBe(false);
  });
});

describe("TILLGATE_MAIL_FROM", () => {
  it("is an address, with or without a name", () => {
    expect(parseSender("notices@example.com")).toEqual({ name: "", address: "notices@example.com" });
    expect(parseSender("Tillgate, by us <notices@example.com>")).toEqual({
      name: "Tillgate, by us",
      address: "notices@example.com",
    });
  });

  it.each([
    "",
    "Tillgate",
    "a@b.example, c@d.example",
    "A <a@b.example> B",
    "<a@b.example",
    "A\r\nBcc: x@y.example <a@b.example>",
    `${"x".repeat(101)} <a@b.example>`,
  ])("rejects %j", (text) => {
    expect(parseSender(text)).toBeUndefined();
  });
});
