import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { createPartnerClient, createPayClient } from "@tillgate/client";
import { root } from "../bootstrap/project.mjs";
import { CommandError } from "./command.mjs";

const AMOUNT = "4.20";
const CURRENCY = "EUR";

/** What a trigger does in the running sandbox, each step through the APIs and commands that everybody uses. */
export function sandboxActions(sandbox, merchant) {
  const pay = createPayClient({
    baseUrl: sandbox.api,
    mode: "sandbox",
    clientId: merchant.client_id,
    clientSecret: merchant.client_secret,
  });
  const partner = createPartnerClient({ baseUrl: sandbox.api, apiToken: merchant.api_token });

  /** Runs an administrator's command, in a process group of its own: Ctrl-C must not stop it halfway. @returns its answer. */
  async function admin(...words) {
    const program = path.join(root, "scripts/admin.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--json", ...words], {
      detached: true,
      env: { ...process.env, TILLGATE_ADMIN_PASSWORD: sandbox.administrator.password },
    }).catch((error) => {
      throw new CommandError(
        `npm run admin -- ${words.slice(0, 2).join(" ")} failed: ${error.stderr || error.message}`,
      );
    });
    return JSON.parse(stdout);
  }
  const by = ["--by", sandbox.administrator.email];

  return {
    admin,
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
    /** Pays as the page's Approve does. @returns the order, paid. */
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
    /** Lets new refunds wait for an administrator while something is done, and sets it back. */
    async whileRefundsWait(work) {
      const { refunds_need_approval: before } = await admin("merchants", "show", merchant.name);
      if (before) return work();
      const set = (value) => admin("merchants", "refund-approval", merchant.name, value, ...by);
      return borrow(
        () => set("on"),
        work,
        () => set("off"),
      );
    },
  };
}

/** Changes a setting for as long as something takes. Ctrl-C meanwhile does not end the program before it is set back. */
async function borrow(change, work, back) {
  const wait = () => console.error("One moment: what was changed is set back first.");
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, wait);
  try {
    await change();
    return await work();
  } finally {
    await back();
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, wait);
  }
}
