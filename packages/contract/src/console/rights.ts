import { z } from "zod";

export const memberRoleSchema = z.enum(["owner", "developer", "finance", "viewer"]);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/** Administrators of the installation have every right, for every merchant. */
export type ConsoleRole = MemberRole | "administrator";

type Right = {
  roles: readonly MemberRole[];
  /** Requires a recently verified second factor, because it concerns money or secrets. */
  fresh: boolean;
};

const EVERYBODY = memberRoleSchema.options;
const BUILDERS: readonly MemberRole[] = ["owner", "developer"];
const MONEY_MOVERS: readonly MemberRole[] = ["owner", "finance"];

/** The API enforces rights; the console also uses them to decide what to show. */
export const CONSOLE_RIGHTS = {
  /** Home, orders, refunds, payouts and wallets: lists, pages, timelines, exports and search. */
  "payments.view": { roles: EVERYBODY, fresh: false },
  "reports.view": { roles: MONEY_MOVERS, fresh: false },
  "shops.remove": { roles: MONEY_MOVERS, fresh: false },
  /** Only unpaid orders, so no money moves. */
  "orders.cancel": { roles: ["owner", "developer", "finance"], fresh: false },
  "refunds.create": { roles: MONEY_MOVERS, fresh: true },
  "payouts.create": { roles: MONEY_MOVERS, fresh: true },
  /** Sandbox only. */
  "wallets.top_up": { roles: ["owner", "developer", "finance"], fresh: false },
  "tills.change": { roles: BUILDERS, fresh: false },
  /** Tills only bring money in. */
  "tills.use": { roles: ["owner", "developer", "finance"], fresh: false },
  "links.change": { roles: ["owner", "developer", "finance"], fresh: false },
  "credentials.view": { roles: ["owner", "developer", "finance"], fresh: false },
  /** Covers only keys that read reports. */
  "credentials.reports": { roles: ["owner", "developer", "finance"], fresh: true },
  /** Create and rotate read-only and order-only keys, and rename and revoke any key. */
  "credentials.change": { roles: BUILDERS, fresh: true },
  /** Create and rotate keys that can refund or pay out, and connect shops, which receive such keys. */
  "credentials.money": { roles: ["owner"], fresh: true },
  /** Test controls and early expiry in the sandbox. */
  "controls.view": { roles: EVERYBODY, fresh: false },
  "controls.change": { roles: BUILDERS, fresh: false },
  "requests.view": { roles: BUILDERS, fresh: false },
  "settings.view": { roles: EVERYBODY, fresh: false },
  "settings.change": { roles: ["owner"], fresh: false },
  /** Endpoints, deliveries, events, notices and the timeline. */
  "webhooks.view": { roles: EVERYBODY, fresh: false },
  /** Create, change, test and remove endpoints, and dismiss notices. */
  "webhooks.change": { roles: BUILDERS, fresh: false },
  "webhooks.secrets": { roles: BUILDERS, fresh: true },
  "webhooks.resend": { roles: BUILDERS, fresh: false },
  "members.view": { roles: EVERYBODY, fresh: false },
  /** `fresh`, because a new owner has every other right. */
  "members.manage": { roles: ["owner"], fresh: true },
} as const satisfies Record<string, Right>;
export type ConsoleRight = keyof typeof CONSOLE_RIGHTS;

const getRolesWithRight = (right: ConsoleRight): readonly MemberRole[] => CONSOLE_RIGHTS[right].roles;

/** A recently verified second factor must be checked separately. */
export const hasRight = (role: ConsoleRole, right: ConsoleRight): boolean =>
  role === "administrator" || getRolesWithRight(right).includes(role);
