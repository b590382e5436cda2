import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../../scripts/testing/free-port.js";
import { createTestDatabase } from "../support/test-database.js";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const start = (environment: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });

const ended = (child: ChildProcess): Promise<{ code: number | null; text: string }> =>
  new Promise((resolve) => {
    let text = "";
    child.stderr?.on("data", (part: Buffer) => {
      text += part.toString();
    });
    child.on("close", (code) => resolve({ code, text }));
  });

describe("store process", () => {
  it("exits on invalid settings with one line per error", async () => {
    const { code, text } = await ended(start({ PORT: "no" }));
    expect(code).toBe(1);
    expect(text.trim().split("\n")).toEqual([
      "The store cannot start:",
      "  PORT: must be a whole number from 0 to 65535",
      "  STORE_DATABASE_URL: is required",
      "  STORE_CONSUMER_KEY: is required",
      "  STORE_CONSUMER_SECRET: is required",
      "  STORE_OWNER_PASSWORD: is required",
    ]);
  });

  it("serves requests, reports readiness, restarts on the same data and exits on SIGTERM", async () => {
    const database = await createTestDatabase();
    const port = await freePort();
    const settings = {
      PORT: String(port),
      STORE_DATABASE_URL: database.url,
      STORE_CONSUMER_KEY: "ck_0123456789",
      STORE_CONSUMER_SECRET: "cs_0123456789",
      STORE_OWNER_PASSWORD: "long enough",
      LOG_LEVEL: "silent",
    };
    const read = async (path: string): Promise<number> => {
      try {
        return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      } catch {
        return 0;
      }
    };
    try {
      for (let round = 0; round < 2; round += 1) {
        const child = start(settings);
        const end = ended(child);
        await expect.poll(() => read("/healthz"), { timeout: 20_000 }).toBe(200);
        expect(await read("/readyz")).toBe(200);
        expect(await read("/product/morning-mug")).toBe(200);
        const requested = Date.now();
        child.kill("SIGTERM");
        expect(await end).toEqual({ code: 0, text: "" });
        expect(Date.now() - requested).toBeLessThan(5000);
      }
    } finally {
      await database.drop();
    }
  });
});
