import { describe, expect, it } from "vitest";
import { sendRaw } from "../../support/raw-http.js";
import { createTestSandbox } from "../../support/test-api.js";

const PATH = "/.well-known/security.txt";
const DAY_MS = 86_400_000;

const sandbox = await createTestSandbox();

describe("GET /.well-known/security.txt", () => {
  it("states the contact and expires in the future, but within a year (RFC 9116)", async () => {
    const environment = { TILLGATE_SECURITY_CONTACT: "mailto:security@shop.test" };
    const { port } = await sandbox.startApi({ environment });
    const { status, headers, text } = await sendRaw(port, { path: PATH, headers: { host: "localhost" } });
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = new Map(
      text
        .trimEnd()
        .split("\n")
        .map((line) => line.split(": ") as [string, string]),
    );
    expect([...fields.keys()]).toEqual(["Contact", "Expires", "Preferred-Languages"]);
    expect(fields.get("Contact")).toBe("mailto:security@shop.test");
    const expires = Date.parse(fields.get("Expires") ?? "");
    expect(expires).toBeGreaterThan(Date.now() + 30 * DAY_MS);
    expect(expires).toBeLessThan(Date.now() + 365 * DAY_MS);
  });

  it("returns 404 without a contact", async () => {
    const { port } = await sandbox.startApi();
    expect((await sendRaw(port, { path: PATH, headers: { host: "localhost" } })).status).toBe(404);
  });

  it.each(["security@shop.test", "http://shop.test/report", "mailto:a\nContact: b"])(
    "requires a valid contact: the API does not start with %j",
    async (contact) => {
      const environment = { TILLGATE_SECURITY_CONTACT: contact };
      await expect(sandbox.startApi({ environment })).rejects.toThrow("TILLGATE_SECURITY_CONTACT");
    },
  );
});
