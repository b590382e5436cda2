import type { ConsoleRight } from "@tillgate/contract";

/** Who may call a route, and a body with which it would do something. */
export type Guarded = {
  right: ConsoleRight | "administrator" | "fresh administrator" | "session" | "waiting session" | "nobody";
  body?: object;
};

const RANGE = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const RECEIVER = { address: "https://shop.example/hook", events: ["pos.order.paid"] };
const PAYOUT = { quote_id: "none", reference: "authorisation", idempotency_key: "authorisation" };
const QUOTE = { lookup_token: "none", amount: 1, sender_currency: "EUR", receiver_currency: "EUR" };
const may = (right: Guarded["right"], body?: object): Guarded => ({ right, ...(body ? { body } : {}) });
const under =
  (base: string) =>
  (routes: Record<string, Guarded>): Record<string, Guarded> =>
    Object.fromEntries(
      Object.entries(routes).map(([route, guarded]) => [route.replace(" ", ` ${base}`), guarded]),
    );
const inMode = under("/merchants/:merchant/:mode");
const administration = under("/administration");
const FUNDS = { kind: "deposit", mode: "live", currency: "EUR", merchant: "x", amount: "1", reference: "x" };

/** Every route of the console edge. The suite refuses one that is not here: who may call it is decided here as well. */
export const ROUTE_RIGHTS: Record<string, Guarded> = {
  "post /sign-in": may("nobody"),
  "post /sign-out": may("nobody"),
  "post /password-reset": may("nobody"),
  "post /password-reset/confirm": may("nobody"),
  "post /invitation": may("nobody"),
  "post /invitation/accept": may("nobody"),
  "post /second-factor/totp": may("waiting session"),
  "post /second-factor/recovery-code": may("waiting session"),
  "post /second-factor/passkey": may("waiting session"),
  "post /second-factor/passkey/start": may("waiting session"),
  "post /second-factor/passkeys/start": may("session"),
  "post /second-factor/passkeys/confirm": may("session"),
  "post /second-factor/passkeys/:passkey/rename": may("session", { name: "Phone" }),
  "post /second-factor/passkeys/:passkey/remove": may("session"),
  "post /password": may("session"),
  "post /second-factor/totp/start": may("session"),
  "post /second-factor/totp/confirm": may("session"),
  "post /second-factor/totp/turn-off": may("session"),
  "post /second-factor/recovery-codes": may("session"),
  "get /me": may("session"),
  "get /sessions": may("session"),
  "post /sessions/revoke-others": may("session"),
  "post /sessions/:session/revoke": may("session"),
  "get /merchants/:merchant/members": may("members.view"),
  "post /merchants/:merchant/members/invite": may("members.manage", {
    email: "new@example.com",
    role: "viewer",
  }),
  "post /merchants/:merchant/members/invitations/:invitation/withdraw": may("members.manage"),
  "post /merchants/:merchant/members/:user/role": may("members.manage", { role: "owner" }),
  "post /merchants/:merchant/members/:user/remove": may("members.manage"),
  ...administration({
    "get /merchants": may("administrator"),
    "post /merchants": may("fresh administrator", { name: "New", owner_email: "new@example.com" }),
    "get /merchants/:merchant": may("administrator"),
    "post /merchants/:merchant": may("fresh administrator", { suspended: true }),
    "post /merchants/:merchant/wallets": may("fresh administrator", { mode: "live", currency: "EUR" }),
    "get /approvals": may("administrator"),
    "post /approvals/payouts/:id": may("fresh administrator", { approve: true }),
    "post /approvals/refunds/:id": may("fresh administrator", { approve: true }),
    "post /approvals/requests/:id": may("fresh administrator", { approve: true }),
    "post /funds": may("fresh administrator", FUNDS),
    "get /currencies": may("administrator"),
    "post /currencies": may("fresh administrator", { code: "NOK", name: "Krone" }),
    "post /currencies/:currency": may("fresh administrator", { active: false }),
    "post /currencies/:currency/single-limit": may("fresh administrator", { amount: "1" }),
    "get /rates/:mode": may("administrator"),
    "post /rates/:mode": may("fresh administrator", { base: "EUR", quote: "USD", rate: "1.1" }),
    "post /rates/:mode/import": may("fresh administrator", { csv: "base,quote,rate\nEUR,USD,1.1" }),
    "get /fees": may("administrator"),
    "post /fees": may("fresh administrator", { mode: "live", currency: "EUR", fixed: "1", percent: "1" }),
    "get /limits": may("administrator"),
    "post /limits": may("fresh administrator", { merchant: "x", mode: "live", currency: "EUR", daily: "1" }),
    "get /shoppers/:mode": may("administrator"),
    "get /shoppers/:mode/:user": may("administrator"),
    "post /shoppers/:mode/:user": may("fresh administrator", { active: false }),
    "post /shoppers/:mode/:user/reset-pin": may("fresh administrator"),
    "get /administrators": may("administrator"),
    "post /administrators": may("fresh administrator", { email: "new@example.com" }),
    "post /administrators/disable": may("fresh administrator", { email: "new@example.com" }),
    "post /administrators/enable": may("fresh administrator", { email: "new@example.com" }),
    "get /audit": may("administrator"),
    "get /audit/check": may("administrator"),
    "get /health": may("administrator"),
  }),
  ...inMode({
    "get /receivers": may("webhooks.view"),
    "post /receivers": may("webhooks.change", RECEIVER),
    "get /receivers/:receiver": may("webhooks.view"),
    "post /receivers/:receiver": may("webhooks.change", { events: ["pos.order.paid"] }),
    "post /receivers/:receiver/pause": may("webhooks.change"),
    "post /receivers/:receiver/resume": may("webhooks.change"),
    "post /receivers/:receiver/enable": may("webhooks.change"),
    "post /receivers/:receiver/remove": may("webhooks.change"),
    "post /receivers/:receiver/test": may("webhooks.change"),
    "post /receivers/:receiver/rotate-secret": may("webhooks.secrets"),
    "get /receivers/:receiver/deliveries": may("webhooks.view"),
    "get /receivers/:receiver/missed": may("webhooks.view"),
    "post /receivers/:receiver/resend": may("webhooks.resend", RANGE),
    "post /receivers/:receiver/send-missed": may("webhooks.resend", RANGE),
    "post /resend": may("webhooks.resend", RANGE),
    "get /deliveries/:delivery": may("webhooks.view"),
    "post /deliveries/:delivery/resend": may("webhooks.resend"),
    "get /events": may("webhooks.view"),
    "get /events/:event": may("webhooks.view"),
    "get /notices": may("webhooks.view"),
    "post /notices/:notice/dismiss": may("webhooks.change"),
    "get /timeline": may("webhooks.view"),
    "get /home": may("payments.view"),
    "get /search": may("payments.view"),
    "get /orders.csv": may("payments.view"),
    "get /orders.json": may("payments.view"),
    "get /refunds.csv": may("payments.view"),
    "get /refunds.json": may("payments.view"),
    "get /payouts.csv": may("payments.view"),
    "get /payouts.json": may("payments.view"),
    "get /orders": may("payments.view"),
    "get /orders/:order": may("payments.view"),
    "get /orders/:order/timeline": may("payments.view"),
    "post /orders/:order/cancel": may("orders.cancel"),
    "get /refunds": may("payments.view"),
    "get /refunds/:refund": may("payments.view"),
    "get /refunds/:refund/timeline": may("payments.view"),
    "get /payouts": may("payments.view"),
    "post /payouts": may("payouts.create", PAYOUT),
    "post /payouts/lookup": may("payouts.create", { email: "amelie@example.com" }),
    "post /payouts/quote": may("payouts.create", QUOTE),
    "get /payouts/:payout": may("payments.view"),
    "get /payouts/:payout/timeline": may("payments.view"),
    "get /wallets": may("payments.view"),
    "get /wallets/:currency/statement": may("payments.view"),
    "post /wallets/:currency/top-up": may("wallets.top_up", { amount: 1, idempotency_key: "authorisation" }),
    "get /credentials": may("credentials.view"),
    "post /credentials": may("credentials.change", { kind: "client" }),
    "post /credentials/:credential/rotate": may("credentials.change"),
    "post /credentials/:credential/revoke": may("credentials.change"),
    "post /orders/:order/refunds": may("refunds.create", { amount: 1, idempotency_key: "authorisation" }),
  }),
};
