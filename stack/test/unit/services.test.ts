import { describe, expect, it } from "vitest";
import { toAddresses } from "../../src/addresses.js";
import { assignPorts } from "../../src/ports.js";
import type { Secrets } from "../../src/secrets.js";
import { defineServices, rejectUnbuilt } from "../../src/services.js";

const ports = assignPorts(4000);
const secrets: Secrets = {
  internal_key: "internal",
  console_key: "console",
  encryption_keys: "k1:key",
  store_consumer_key: "ck_1",
  store_consumer_secret: "cs_1",
  store_owner_password: "owner",
  store_webhook_secret: "webhooks",
  connector_health_key: "health",
  database_password: "d",
  api_database_password: "a",
  store_database_password: "s",
  connector_database_password: "c",
};
const define = (environment: NodeJS.ProcessEnv, publicHost?: string) =>
  defineServices({
    root: "/project",
    ports,
    addresses: toAddresses(ports, publicHost),
    publicHost,
    mailFolder: "/data/mails",
    databaseUrls: {
      api: "postgresql://api",
      apiOwner: "postgresql://owner",
      apiRole: "api",
      store: "postgresql://store",
      connector: "postgresql://connector",
    },
    secrets,
    merchant: { name: "Harbour", client_id: "id", client_secret: "merchant-secret", api_token: "token" },
    environment,
  });

describe("environment of a service", () => {
  const services = define({
    PATH: "/bin",
    DATABASE_URL: "postgresql://administrator:given@host/db",
    STORE_DATABASE_URL: "postgresql://given-store",
    TILLGATE_INTERNAL_KEY: "given",
    LOG_LEVEL: "debug",
  });

  it("contains only the URL of its own database", () => {
    const urls = (name: keyof typeof services) =>
      Object.values(services[name].environment).filter((value) => value.startsWith("postgresql://"));
    expect(urls("api")).toEqual(["postgresql://api"]);
    expect(urls("store")).toEqual(["postgresql://store"]);
    expect(urls("connector")).toEqual(["postgresql://connector"]);
    expect(urls("pay")).toEqual([]);
  });

  it("contains only the secrets that the service needs", () => {
    const names = ["internal", "console", "k1:key", "cs_1", "owner", "webhooks", "health", "merchant-secret"];
    const secretsOf = (name: keyof typeof services) => {
      const values = Object.values(services[name].environment).join();
      return names.filter((secret) => values.includes(secret));
    };
    expect(secretsOf("api")).toEqual(["internal", "console", "k1:key"]);
    expect(secretsOf("pay")).toEqual(["internal"]);
    expect(secretsOf("dashboard")).toEqual(["console"]);
    expect(secretsOf("store")).toEqual(["cs_1", "owner", "webhooks"]);
    expect(secretsOf("connector")).toEqual(["cs_1", "webhooks", "health", "merchant-secret"]);
  });

  it("includes inherited settings", () => {
    expect(services.store.environment).toMatchObject({
      PATH: "/bin",
      LOG_LEVEL: "debug",
      NODE_ENV: "production",
    });
  });

  it("inherits only machine settings, such as PATH, and the service's own settings from the shell", () => {
    const shell = define({
      PATH: "/bin",
      AWS_SECRET_ACCESS_KEY: "aws",
      NPM_TOKEN: "npm",
      TILLGATE_PIN_LOCK_SECONDS: "5",
      TILLGATE_PAY_MAX_STREAMS: "7",
      STORE_CURRENCY: "EUR",
      CONNECTOR_SWEEP_SECONDS: "60",
    });
    const inherited = (name: keyof typeof shell) =>
      Object.keys(shell[name].environment).filter((key) => !(key in define({})[name].environment));
    expect(inherited("api")).toEqual(["PATH", "TILLGATE_PIN_LOCK_SECONDS", "TILLGATE_PAY_MAX_STREAMS"]);
    expect(inherited("pay")).toEqual(["PATH", "TILLGATE_PAY_MAX_STREAMS"]);
    expect(inherited("store")).toEqual(["PATH", "STORE_CURRENCY"]);
    expect(inherited("connector")).toEqual(["PATH", "CONNECTOR_SWEEP_SECONDS"]);
  });

  it("allows plain HTTP only for the public host, if it is set", () => {
    expect(define({}).api.environment.TILLGATE_HTTP_HOSTS).toBe("");
    expect(define({}, "192.168.1.9").api.environment.TILLGATE_HTTP_HOSTS).toBe("192.168.1.9");
  });
});

describe("missing builds", () => {
  it("are reported with the missing files and the command that builds them", () => {
    expect(() => rejectUnbuilt(["api", "store"], "/nowhere")).toThrow(
      "Not built yet: apps/api/dist/main.js, apps/store/dist/main.js. Run npm run build",
    );
  });
});
