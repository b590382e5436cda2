import { SettingsError } from "@tillgate/service/settings";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config";

const key = "k".repeat(32);

const fault = (environment: NodeJS.ProcessEnv): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return "accepted";
};
const env = (values: Record<string, string>): NodeJS.ProcessEnv => ({ NODE_ENV: "test", ...values });

describe("readConfig", () => {
  it("has a default for every setting except the key", () => {
    expect(readConfig(env({ TILLGATE_INTERNAL_KEY: key }))).toMatchObject({
      host: "127.0.0.1",
      port: 4001,
      payOrigin: "http://localhost:4001",
      secure: false,
      apiOrigin: "http://127.0.0.1:4000",
      trustedProxies: 0,
    });
  });

  it("reads the URLs of the terms and the privacy policy, each optional", () => {
    const terms = "https://example.com/legal/terms?v=2#now";
    const { termsAddress, privacyAddress } = readConfig(
      env({ TILLGATE_INTERNAL_KEY: key, TILLGATE_PAY_TERMS_URL: terms, TILLGATE_PAY_PRIVACY_URL: "" }),
    );
    expect({ termsAddress, privacyAddress }).toEqual({ termsAddress: terms, privacyAddress: undefined });
  });

  it("turns on secure cookies when the page is served over HTTPS", () => {
    const config = readConfig(
      env({ TILLGATE_INTERNAL_KEY: key, TILLGATE_PAY_URL: "https://PAY.example.com:443/" }),
    );
    expect(config).toMatchObject({ payOrigin: "https://pay.example.com", secure: true });
  });

  it.each([
    ["TILLGATE_INTERNAL_KEY", "short"],
    ["TILLGATE_PAY_URL", "pay.example.com"],
    ["TILLGATE_PAY_URL", "http://pay.example.com"],
    ["TILLGATE_PAY_URL", "http://127.0.0.1.example.com"],
    ["TILLGATE_PAY_URL", "http://192.168.1.7:4001"],
    ["TILLGATE_PAY_MAX_CONNECTIONS", "9"],
    ["TILLGATE_PAY_REQUEST_TIMEOUT_MS", "999"],
    ["TILLGATE_PAY_URL", "https://pay.example.com/pay"],
    ["TILLGATE_PAY_URL", "https://user:secret@pay.example.com"],
    ["TILLGATE_API_URL", "ftp://api.example.com"],
    ["TILLGATE_PAY_TERMS_URL", "example.com/terms"],
    ["TILLGATE_PAY_TERMS_URL", "javascript:alert(1)"],
    ["TILLGATE_PAY_PRIVACY_URL", "https://user:secret@example.com/privacy"],
    ["PORT", "0"],
    ["PORT", "80x"],
    ["TILLGATE_API_TIMEOUT_MS", "5"],
    ["TILLGATE_PAY_PROXY_HOPS", "-1"],
  ])("rejects %s set to %s in one line that names the setting and contains no secret", (name, value) => {
    const message = fault(env({ TILLGATE_INTERNAL_KEY: key, [name]: value }));
    expect(message).toContain(name);
    expect(message).not.toContain("\n");
    if (name === "TILLGATE_INTERNAL_KEY" || value.includes("secret")) expect(message).not.toContain(value);
  });

  it.each([
    ["http://localhost:4001", ""],
    ["http://pay.localhost", ""],
    ["http://127.0.0.1:4001", ""],
    ["http://[::1]:4001", ""],
    ["https://pay.example.com", ""],
    ["http://192.168.1.7:4001", "other.lan, 192.168.1.7"],
    ["http://Laptop.lan", "laptop.lan"],
  ])("accepts %s with TILLGATE_HTTP_HOSTS '%s'", (url, hosts) => {
    const values = { TILLGATE_INTERNAL_KEY: key, TILLGATE_PAY_URL: url, TILLGATE_HTTP_HOSTS: hosts };
    expect(readConfig(env(values)).payOrigin).toBe(new URL(url).origin);
  });

  it("reports all errors together", () => {
    const message = fault(env({ PORT: "x", TILLGATE_PAY_URL: "x" }));
    for (const name of ["PORT", "TILLGATE_PAY_URL", "TILLGATE_INTERNAL_KEY"]) {
      expect(message).toContain(name);
    }
  });
});
