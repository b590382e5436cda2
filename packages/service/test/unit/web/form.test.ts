import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { readForm } from "../../../src/web/form.js";

function request(headers: Record<string, string>, ...chunks: (string | Buffer)[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, headers);
  for (const chunk of chunks) message.push(Buffer.from(chunk));
  message.push(null);
  return message;
}
const urlencoded = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };

describe("readForm", () => {
  it("decodes fields, even if a character spans two chunks", async () => {
    const bytes = Buffer.from("name=Groß&a=1%262");
    const form = await readForm(request(urlencoded, bytes.subarray(0, 9), bytes.subarray(9)), 100);
    if (typeof form === "number") throw new Error(`refused with ${form}`);
    expect(Object.fromEntries(form)).toEqual({ name: "Groß", a: "1&2" });
  });

  it("accepts a body of the maximum size and rejects a body one byte larger", async () => {
    expect(await readForm(request(urlencoded, "a=345678", "90"), 10)).toBeInstanceOf(URLSearchParams);
    expect(await readForm(request(urlencoded, "a=345678", "901"), 10)).toBe(413);
  });

  it("rejects an oversized Content-Length without reading the body", async () => {
    const message = request({ ...urlencoded, "content-length": "11" }, "a=1");
    expect(await readForm(message, 10)).toBe(413);
    expect(message.readableEnded).toBe(false);
  });

  it.each(["application/json", "multipart/form-data; boundary=x", "text/plain", ""])(
    "rejects the content type '%s'",
    async (type) => {
      expect(await readForm(request({ "content-type": type }, "a=1"), 100)).toBe(415);
    },
  );
});
