// cspell:ignore maxconn
import { randomBytes } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { waitUntil } from "../until.js";
import { ADDRESSES, type Guide } from "./guide.js";
import { setConnected } from "./machines.js";

const HOSTS = "api.example.com pay.example.com console.example.com";
const APIS = ["api-one", "api-two"] as const;
const UNITS = ["http-4000", "worker", "pay", "console"].map((name) => `tillgate@${name}`);
const START_LIMIT_MS = 60_000;
/** The load balancer notices a change within two health checks. */
const CHECKS_MS = 5_000;
const APART_MS = 2_000;
const HEALTHY = ["4000/readyz", "4001/healthz", "4002/healthz"];
const AS_WORKER =
  "systemd-run --quiet --pipe --wait --collect -p EnvironmentFile=/etc/tillgate/worker.env -p User=tillgate -p WorkingDirectory=/opt/tillgate";

/** Creates the load balancer's certificate, and makes the shop trust it and resolve the hosts to the load balancer. */
export async function prepareNetwork(guide: Guide): Promise<void> {
  await guide.check(
    "balancer",
    `install -d /etc/haproxy; cd /etc/haproxy
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=guide -keyout key.pem -out authority.pem \\
  -addext "subjectAltName=DNS:${HOSTS.replaceAll(" ", ",DNS:")}"
cat key.pem authority.pem > certificates.pem
# Its two files per connection can be more than the machine of the drill allows.
sed -i 's/maxconn 20000/maxconn 2000/' /root/cluster/load-balancer.cfg`,
  );
  const shop = guide.machine("shop");
  await cp(
    path.join(guide.machine("balancer").root, "etc/haproxy/authority.pem"),
    path.join(shop.root, "root/authority.pem"),
  );
  await writeFile(path.join(shop.root, "etc/hosts"), `127.0.0.1 localhost\n${ADDRESSES.balancer} ${HOSTS}\n`);
}

const credentialSchema = z.object({ client_id: z.string(), secret: z.string() });

/** A shop and its shopper, who pays over HTTPS through the load balancer. */
export type Shop = {
  /** Creates an order and opens its page. @returns the unpaid order, for {@link Shop.pay}. */
  open(): Promise<string>;
  /** Pays on the page and waits until the shop has received the webhook. Sends each request once. @returns the ID of the order. */
  pay(checkout?: string): Promise<string>;
  /** Pays as soon as Tillgate accepts payments. */
  payEventually(): Promise<void>;
  read(orderId: string): Promise<string>;
  /** Checks that every payment made so far is in the ledger. */
  verify(): Promise<void>;
  /** Excludes a payment from {@link Shop.verify}, because a restore is expected to lose it. */
  forget(orderId: string): void;
  storeSecret(): Promise<void>;
};

/** Creates a currency, and a merchant with a wallet and credentials. @param output output of the command that created the administrator. */
export async function openShop(guide: Guide, output: string): Promise<Shop> {
  const fields = output.split("\n").map((line) => line.trim().split(/\s+/));
  const [, password = ""] = fields.find(([name]) => name === "password") ?? [];
  const administrate = async (command: string): Promise<string> =>
    guide.check(
      "api-one",
      `${AS_WORKER} -E TILLGATE_ADMIN_PASSWORD='${password}' /usr/bin/npm run -s admin -- ${command} --by you@example.com --json`,
    );
  const storeSecret = (): Promise<string> =>
    administrate("credentials create Guide --mode sandbox --kind client");
  await administrate("currencies add EUR --name Euro");
  await administrate("merchants create Guide");
  await administrate("wallets open EUR --mode sandbox --merchant Guide");
  const { client_id: clientId, secret: clientSecret } = credentialSchema.parse(
    JSON.parse(await storeSecret()),
  );
  const run = (...parts: string[]): Promise<string> =>
    guide.check(
      "shop",
      `cd /opt/tillgate; export CLIENT_ID='${clientId}' CLIENT_SECRET='${clientSecret}' SHOP_ADDRESS=${ADDRESSES.shop} NODE_EXTRA_CA_CERTS=/root/authority.pem
node node_modules/tsx/dist/cli.mjs drill/src/guide/shop.ts ${parts.map((part) => `'${part}'`).join(" ")}`,
    );
  const paid = new Set<string>();
  const open = (): Promise<string> => run("open");
  const pay = async (checkout?: string): Promise<string> => {
    const opened = checkout ?? (await open());
    await run("pay", opened);
    const { orderId } = z.object({ orderId: z.string() }).parse(JSON.parse(opened));
    paid.add(orderId);
    return orderId;
  };
  return {
    open,
    pay,
    async payEventually() {
      let last: unknown;
      await waitUntil("a payment", START_LIMIT_MS, () =>
        pay().catch((error: unknown) => {
          last = error;
          return undefined;
        }),
      ).catch((error: unknown) => {
        throw new Error(`${error}: ${last}`);
      });
    },
    read: (orderId) => run("status", orderId),
    async verify() {
      const states = await run("status", ...paid);
      const lost = states.split("\n").filter((line) => line !== "" && !line.endsWith(" PAID"));
      if (paid.size === 0) throw new Error("There is no payment to verify.");
      if (lost.length > 0)
        throw new Error(`${lost.length} of ${paid.size} payments are lost:\n${lost.join("\n")}`);
      console.log(`✓ each of ${paid.size} payments through the load balancer is in the ledger`);
    },
    forget: (orderId) => void paid.delete(orderId),
    async storeSecret() {
      await storeSecret();
    },
  };
}

const isHealthy = async (guide: Guide, where: (typeof APIS)[number]): Promise<true | undefined> => {
  const urls = HEALTHY.map((address) => `http://${ADDRESSES[where]}:${address}`).join(" ");
  return (await guide.machine(where).run(`curl -sf ${urls}`)).code === 0 || undefined;
};

async function waitUntilUsed(guide: Guide, where: (typeof APIS)[number]): Promise<void> {
  await waitUntil(`the services of ${where} respond`, START_LIMIT_MS, () => isHealthy(guide, where));
  await delay(CHECKS_MS);
}

/** Checks that systemd restarts only the service that was killed, and that payments continue. */
export async function checkUnits(guide: Guide, shop: Shop): Promise<void> {
  await guide.check(
    "api-one",
    `systemd-analyze verify --man=no ${UNITS.map((unit) => `${unit}.service`).join(" ")}`,
  );
  const readPids = async (): Promise<string[]> =>
    (await guide.check("api-one", `systemctl show --property=MainPID --value ${UNITS.join(" ")}`))
      .split("\n")
      .filter(Boolean);
  for (const api of APIS) await waitUntilUsed(guide, api);
  for (const [at, unit] of UNITS.entries()) {
    const before = await readPids();
    await guide.check("api-one", `kill -9 ${before[at]}`);
    await delay(CHECKS_MS);
    await shop.pay();
    await waitUntil(`${unit} is restarted`, START_LIMIT_MS, async () => {
      const pid = (await readPids())[at];
      return (pid !== "0" && pid !== before[at]) || undefined;
    });
    await waitUntilUsed(guide, "api-one");
    const after = await readPids();
    const others = (pids: string[]): string => pids.filter((_pid, index) => index !== at).join(" ");
    if (others(before) !== others(after))
      throw new Error(
        `Killing ${unit} also restarted other services: process IDs ${before.join(" ")} became ${after.join(" ")}.`,
      );
    console.log(`✓ systemd restarts only ${unit} after kill -9, and payments continue`);
  }
}

/** Checks that payments continue while either API machine is stopped or cut off from the network, and after it returns. */
export async function checkStops(guide: Guide, shop: Shop): Promise<void> {
  for (const api of APIS) {
    const payAll = async (): Promise<void> => {
      for (let payments = 0; payments < 4; payments += 1) await shop.pay();
    };
    // Payments while the services stop, and afterwards.
    await Promise.all([guide.check(api, "systemctl stop 'tillgate@*'"), payAll()]);
    await shop.pay();
    await guide.check(api, `systemctl start ${UNITS.join(" ")}`);
    await waitUntilUsed(guide, api);
    console.log(`✓ payments succeed while ${api} is stopped`);
    await setConnected(api, false);
    await shop.payEventually();
    await shop.pay();
    await setConnected(api, true);
    await waitUntilUsed(guide, api);
    console.log(`✓ payments succeed while ${api} is cut off`);
  }
}

/** Checks that a machine reports that its newest encryption key is missing or different, and that payments continue through the other machine. */
export async function checkWrongKeys(guide: Guide, shop: Shop): Promise<void> {
  await shop.storeSecret();
  const file = path.join(guide.machine("api-two").root, "etc/tillgate/http-4000.env");
  const settings = await readFile(file, "utf8");
  const [, keys = ""] = /^TILLGATE_ENCRYPTION_KEYS=(.*)$/m.exec(settings) ?? [];
  const [newest = "", ...older] = keys.split(",");
  const [id = ""] = newest.split(":");
  const other = `${id}:${randomBytes(32).toString("base64")}`;
  for (const [mistake, message] of [
    [settings.replace(keys, older.join(",")), `key ${id} is missing`],
    [settings.replace(newest, other), `key ${id} has another value`],
  ] as const) {
    await writeFile(file, mistake);
    await guide.check("api-two", "systemctl restart tillgate@http-4000");
    await waitUntil(
      `api-two reports: ${message}`,
      START_LIMIT_MS,
      async () =>
        (await guide.check("api-two", "journalctl --output=cat --unit=tillgate@http-4000")).includes(
          message,
        ) || undefined,
    );
    await delay(CHECKS_MS);
    await shop.pay();
    console.log(`✓ api-two reports "${message}", and payments continue`);
  }
  await writeFile(file, settings);
  await guide.check("api-two", "systemctl restart tillgate@http-4000");
  await waitUntilUsed(guide, "api-two");
}

/** Makes one payment before and one after a restore point. @returns the restore point, and a function that verifies a restore to it. */
export async function payAround(
  guide: Guide,
  shop: Shop,
): Promise<{ moment: string; verify(): Promise<void> }> {
  await shop.pay();
  await delay(APART_MS);
  const moment = (await guide.check("one", "date -u '+%Y-%m-%d %H:%M:%S.%3N+00'")).trim();
  await delay(APART_MS);
  const later = await shop.pay();
  return {
    moment,
    async verify() {
      shop.forget(later);
      await shop.payEventually();
      await shop.verify();
      const state = await shop.read(later);
      if (!state.includes("404"))
        throw new Error(`A payment made after the restore point still exists: ${state}`);
      console.log(
        `✓ the restored ledger contains every payment made before ${moment} and none made after it`,
      );
    },
  };
}

export async function proveLedger(guide: Guide): Promise<void> {
  const output = await guide.check("api-one", `${AS_WORKER} /usr/bin/npm run -s prove-ledger`);
  if (!output.includes("The ledger is sound.")) throw new Error(output);
  console.log("✓ the ledger is sound");
}
