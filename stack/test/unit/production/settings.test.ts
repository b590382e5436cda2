import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { SettingsError } from "@tillgate/service/settings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettingsFile } from "../../../src/production/read-settings-file.js";
import { rejectSandboxFolder } from "../../../src/production/reject-sandbox.js";
import { readUpSettings } from "../../../src/production/settings.js";

const good = {
  TILLGATE_DATA_DIR: "/var/lib/tillgate",
  TILLGATE_API_PUBLIC_URL: "https://api.shop.example",
  TILLGATE_PAY_URL: "https://pay.shop.example",
  TILLGATE_CONSOLE_URL: "https://console.shop.example",
  TILLGATE_ACME_EMAIL: "you@shop.example",
};

function mistakes(environment: Record<string, string>): string {
  try {
    readUpSettings(environment);
    return "";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

describe("production settings", () => {
  it("require a URL for each of three hosts and a source of certificates", () => {
    expect(readUpSettings(good)).toMatchObject({ httpsPort: 443, httpPort: 80, api: undefined });
    expect(() => readUpSettings({})).toThrow(SettingsError);
    for (const name of ["TILLGATE_API_PUBLIC_URL", "TILLGATE_PAY_URL", "TILLGATE_CONSOLE_URL"])
      expect(mistakes({ ...good, [name]: "" })).toContain(`${name}: is required`);
    expect(mistakes({ ...good, TILLGATE_ACME_EMAIL: "" })).toContain("production needs HTTPS");
  });

  it.each([
    [
      "a plain HTTP address",
      { TILLGATE_PAY_URL: "http://pay.shop.example" },
      "TILLGATE_PAY_URL: must begin with https",
    ],
    [
      "two services on one host",
      { TILLGATE_PAY_URL: "https://api.shop.example:8443" },
      "must have a different host",
    ],
    [
      "a certificate without its key",
      { TILLGATE_ACME_EMAIL: "", TILLGATE_CERTIFICATE_FILE: "/etc/cert.pem" },
      "must both be set, or neither",
    ],
    [
      "both ACME and a certificate",
      { TILLGATE_CERTIFICATE_FILE: "/a", TILLGATE_CERTIFICATE_KEY_FILE: "/b" },
      "but not both",
    ],
    ["a relative folder", { TILLGATE_DATA_DIR: "data" }, "TILLGATE_DATA_DIR: must be an absolute path"],
    ["the environment development", { TILLGATE_ENVIRONMENT: "development" }, "npm start for a sandbox"],
  ])("reject %s", (_name, changes, message) => {
    expect(mistakes({ ...good, ...changes })).toContain(message);
  });
});

describe("files read by npm run up", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tillgate-up-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("must be readable by their owner only, because they contain passwords", async () => {
    const file = path.join(folder, "settings.env");
    await writeFile(file, "# one\nTILLGATE_PORT=4100\nTILLGATE_SMTP_URL='smtps://a:b c@mail.example'\n");
    await chmod(file, 0o644);
    await expect(readSettingsFile(file)).rejects.toThrow(`chmod 600 ${file}`);
    await chmod(file, 0o600);
    expect(await readSettingsFile(file)).toEqual({
      TILLGATE_PORT: "4100",
      TILLGATE_SMTP_URL: "smtps://a:b c@mail.example",
    });
    await expect(readSettingsFile(path.join(folder, "none"))).rejects.toThrow("cannot be read");
  });

  it("must not belong to a sandbox, whose secrets were printed", async () => {
    expect(() => rejectSandboxFolder(folder)).not.toThrow();
    await writeFile(path.join(folder, "accounts.json"), "{}");
    expect(() => rejectSandboxFolder(folder)).toThrow("contains a sandbox (accounts.json)");
  });
});
