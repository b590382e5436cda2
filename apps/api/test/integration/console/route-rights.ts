import type { ConsoleRight } from "@tillgate/contract";

/** Who may call a route, and a body with which it would do something. */
export type Guarded = { right: ConsoleRight | "session" | "waiting session" | "nobody"; body?: object };

const RANGE = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const RECEIVER = { address: "https://shop.example/hook", events: ["pos.order.paid"] };
const PAYOUT = { quote_id: "none", reference: "authorisation", idempotency_key: "authorisation" };
const QUOTE = { lookup_token: "none", amount: 1, sender_currency: "EUR", receiver_currency: "EUR" };
const may = (right: Guarded["right"], body?: object): Guarded => ({ right, ...(body ? { body } : {}) });
const inMode = (routes: Record<string, Guarded>): Record<string, Guarded> =>
  Object.fromEntries(
    Object.entries(routes).map(([route, guarded]) => [
      route.replace(" ", " /merchants/:merchant/:mode"),
      guarded,
    ]),
  );

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
