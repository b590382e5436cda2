import { SettingsError } from "@tillgate/service";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";

const good = {
  STORE_DATABASE_URL: "postgresql://tillgate_store@localhost:4005/tillgate_store",
  STORE_CONSUMER_KEY: "ck_0123456789",
  STORE_CONSUMER_SECRET: "cs_0123456789",
  STORE_OWNER_PASSWORD: "long enough",
};

describe("readConfig", () => {
  it("requires only the database, the REST key and the owner's password", () => {
    expect(readConfig(good)).toMatchObject({
      port: 4003,
      host: "127.0.0.1",
      storeId: "demo",
      currency: "EUR",
      basicOverHttp: "loopback",
      connections: 1_000,
      trustedProxies: [],
    });
  });

  it("defaults to rejecting Basic authentication over plain HTTP in production", () => {
    expect(readConfig({ ...good, NODE_ENV: "production" }).basicOverHttp).toBe("refuse");
    const settings = { ...good, NODE_ENV: "production", STORE_BASIC_OVER_HTTP: "loopback" };
    expect(readConfig(settings).basicOverHttp).toBe("loopback");
  });

  it("reads the trusted proxies", () => {
    const behindProxies = { ...good, STORE_TRUSTED_PROXIES: "10.0.0.0/8, ::1" };
    expect(readConfig(behindProxies).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
  });

  it("treats an empty setting as unset", () => {
    expect(readConfig({ ...good, STORE_ID: "" }).storeId).toBe("demo");
  });

  it("requires the webhook URL and the webhook secret together", () => {
    const url = "http://localhost:4004/webhook";
    const secret = "long enough a secret";
    expect(
      readConfig({ ...good, STORE_WEBHOOK_URL: url, STORE_WEBHOOK_SECRET: secret }).connectorWebhook,
    ).toEqual({
      deliveryUrl: url,
      secret,
    });
    expect(readConfig(good).connectorWebhook).toBeNull();
    expect(() => readConfig({ ...good, STORE_WEBHOOK_URL: url })).toThrow(
      new SettingsError("STORE_WEBHOOK_SECRET: is required with STORE_WEBHOOK_URL"),
    );
    expect(() => readConfig({ ...good, STORE_WEBHOOK_SECRET: secret })).toThrow(
      new SettingsError("STORE_WEBHOOK_URL: is required with STORE_WEBHOOK_SECRET"),
    );
  });

  const invalid: [string, string, string][] = [
    ["PORT", "70000", "PORT: must be a whole number from 0 to 65535"],
    ["PORT", "many", "PORT: must be a whole number from 0 to 65535"],
    ["STORE_DATABASE_URL", "mysql://x", "STORE_DATABASE_URL: must be a postgresql:// URL"],
    ["STORE_URL", "ftp://x", "STORE_URL: must be an address that begins with http:// or https://"],
    ["STORE_CONSUMER_KEY", "key", "STORE_CONSUMER_KEY: must be ck_ and 8 to 200 characters"],
    ["STORE_OWNER_PASSWORD", "short", "STORE_OWNER_PASSWORD: must be at least 8 characters"],
    ["STORE_OWNER_PASSWORD", "", "STORE_OWNER_PASSWORD: is required"],
    ["STORE_CONNECTIONS", "9", "STORE_CONNECTIONS: must be a whole number from 10 to 100000"],
    [
      "STORE_TRUSTED_PROXIES",
      "10.0.0.1, localhost",
      "STORE_TRUSTED_PROXIES: must be addresses, networks of /8 or smaller (10.0.0.0/8) or loopback, linklocal, uniquelocal, separated by commas",
    ],
    ["LOG_LEVEL", "loud", "LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent"],
  ];
  for (const [name, value, sentence] of invalid) {
    it(`rejects ${name}="${value}"`, () => {
      expect(() => readConfig({ ...good, [name]: value })).toThrow(new SettingsError(sentence));
    });
  }
});
