import { z } from "zod";

/** What a member of a merchant may be. */
export const memberRoleSchema = z.enum(["owner", "developer", "finance", "viewer"]);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/** An administrator of the house may do everything, with every merchant. */
export type ConsoleRole = MemberRole | "administrator";

type Right = {
  roles: readonly MemberRole[];
  /** It needs a second factor that was shown in the last minutes: it is about money or secrets. */
  fresh: boolean;
};

const EVERYBODY = memberRoleSchema.options;
const BUILDERS: readonly MemberRole[] = ["owner", "developer"];
const MONEY_MOVERS: readonly MemberRole[] = ["owner", "finance"];

/** Who may do what in a merchant. The api checks it at every call; the console asks it what to show. */
export const CONSOLE_RIGHTS = {
  /** Home, orders, refunds, payouts and wallets: lists, pages, timelines, exports and the search. */
  "payments.view": { roles: EVERYBODY, fresh: false },
  /** Cancelling an order that is not paid: no money moves. */
  "orders.cancel": { roles: ["owner", "developer", "finance"], fresh: false },
  "refunds.create": { roles: MONEY_MOVERS, fresh: true },
  "payouts.create": { roles: MONEY_MOVERS, fresh: true },
  /** Wallets and money of the sandbox, for tests. */
  "wallets.top_up": { roles: ["owner", "developer", "finance"], fresh: false },
  /** Making, renaming and pausing them. */
  "tills.change": { roles: BUILDERS, fresh: false },
  /** Taking payments at them: money only comes in. */
  "tills.use": { roles: ["owner", "developer", "finance"], fresh: false },
  /** Making payment links, closing and opening them. */
  "links.change": { roles: ["owner", "developer", "finance"], fresh: false },
  "credentials.view": { roles: BUILDERS, fresh: false },
  /** Creating and rotating keys that read or create orders, and revoking any. */
  "credentials.change": { roles: BUILDERS, fresh: true },
  /** Creating and rotating keys that refund or pay out, and connecting shops, which get such keys. */
  "credentials.money": { roles: ["owner"], fresh: true },
  /** What is ordered of the sandbox: faults, and ends that come sooner. */
  "controls.view": { roles: EVERYBODY, fresh: false },
  "controls.change": { roles: BUILDERS, fresh: false },
  /** The log of the API's calls. */
  "requests.view": { roles: BUILDERS, fresh: false },
  "settings.view": { roles: EVERYBODY, fresh: false },
  /** Where notices are mailed, and how the payment page looks. */
  "settings.change": { roles: ["owner"], fresh: false },
  /** Endpoints, deliveries, events, notices and the timeline. */
  "webhooks.view": { roles: EVERYBODY, fresh: false },
  /** Adding, changing, testing and removing endpoints, and dismissing notices. */
  "webhooks.change": { roles: BUILDERS, fresh: false },
  /** Another secret for an endpoint. */
  "webhooks.secrets": { roles: BUILDERS, fresh: true },
  "webhooks.resend": { roles: BUILDERS, fresh: false },
  "members.view": { roles: EVERYBODY, fresh: false },
  /** Inviting and removing members, and changing roles. Fresh: a new owner could reach all the rest. */
  "members.manage": { roles: ["owner"], fresh: true },
} as const satisfies Record<string, Right>;
export type ConsoleRight = keyof typeof CONSOLE_RIGHTS;

const rolesOf = (right: ConsoleRight): readonly MemberRole[] => CONSOLE_RIGHTS[right].roles;

/** Whether a role has a right; one that needs a fresh second factor needs that as well. */
export const hasRight = (role: ConsoleRole, right: ConsoleRight): boolean =>
  role === "administrator" || rolesOf(right).includes(role);
