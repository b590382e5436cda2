import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { createPartnerClient, createPayClient } from "@tillgate/client";
import { root } from "../bootstrap/project.mjs";
import { CommandError } from "./command.mjs";

const AMOUNT = "4.20";
const CURRENCY = "EUR";

/** Returns the actions that triggers can take in the sandbox, through public APIs and commands only. */
export function sandboxActions(sandbox, merchant) {
  const pay = createPayClient({
    baseUrl: sandbox.api,
    mode: "sandbox",
    clientId: merchant.client_id,
    clientSecret: merchant.client_secret,
  });
  const partner = createPartnerClient({ baseUrl: sandbox.api, apiToken: merchant.api_token });

  /** Runs an admin command in a separate process group, so that Ctrl-C does not interrupt it. @returns its JSON output. */
  async function runAdmin(...args) {
    const program = path.join(root, "scripts/admin.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--json", ...args], {
      detached: true,
      env: { ...process.env, TILLGATE_ADMIN_PASSWORD: sandbox.administrator.password },
    }).catch((error) => {
      throw new CommandError(
        `npm run admin -- ${args.slice(0, 2).join(" ")} failed: ${error.stderr || error.message}`,
      );
    });
    return JSON.parse(stdout);
  }
  const by = ["--by", sandbox.administrator.email];

  return {
    admin: runAdmin,
    by,
    merchant: merchant.name,
    pay,
    createOrder: (fields = {}) =>
      pay.orders.create({
        amount: AMOUNT,
        currency: CURRENCY,
        reference: `trigger ${randomUUID().slice(0, 8)}`,
        ...fields,
      }),
    payOrder: (order) => pay.orders.simulate(order.order_id, "paid"),
    refund: (order, amount) =>
      pay.refunds.create({
        transaction_id: order.trx_id,
        reason: "npm run trigger",
        ...(amount ? { amount } : {}),
      }),
    async payOut() {
      const shopper = sandbox.shoppers.find(
        ({ active, currencies }) => active && currencies.includes(CURRENCY),
      );
      if (!shopper) throw new CommandError(`The sandbox has no active shopper with a ${CURRENCY} wallet.`);
      const { lookup_token } = await partner.lookup({ email: shopper.email });
      const { payout } = await partner.payout({
        lookup_token,
        amount: AMOUNT,
        sender_currency: CURRENCY,
        receiver_currency: CURRENCY,
        reference: `trigger ${randomUUID()}`,
      });
      return payout;
    },
    /** Runs `work` while new refunds need an administrator's approval, then restores the setting. */
    async withRefundApproval(work) {
      const { refunds_need_approval: before } = await runAdmin("merchants", "show", merchant.name);
      if (before) return work();
      const set = (value) => runAdmin("merchants", "refund-approval", merchant.name, value, ...by);
      return withTemporaryChange(
        () => set("on"),
        work,
        () => set("off"),
      );
    },
  };
}

/** Runs `work` with a changed setting. Ctrl-C does not stop the program before the setting is restored. */
async function withTemporaryChange(change, work, restore) {
  const wait = () => console.error("Finishing up and restoring the original setting before exiting…");
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, wait);
  try {
    await change();
    return await work();
  } finally {
    await restore();
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, wait);
  }
}
