import {
  activeRequestSchema,
  administratorRequestSchema,
  changeShopperWalletRequestSchema,
  createShopperRequestSchema,
  searchQuerySchema,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import {
  addAdministrator,
  disableAdministrator,
  enableAdministrator,
  listAdministrators,
} from "../../../administration/administrators.js";
import { createUser, listUsers, resetPin, setUserActive } from "../../../administration/users.js";
import type { Context } from "../../../context.js";
import { listWallets } from "../../../money/wallets/list.js";
import { closeWallet, openWallet, requireUser } from "../../../money/wallets/open.js";
import { parse, pathParameter } from "../../shared/parse.js";
import { serve, succeed } from "../../shared/routes.js";
import { wireTime } from "../../shared/shapes.js";
import { readPathMode, withAdministrator } from "../caller.js";
import { toConsoleMoney } from "../shapes.js";

const toShopper = (user: {
  id: string;
  name: string;
  phone: string | null;
  email: string | null;
  active: boolean;
  createdAt: Date;
}) => ({
  user_id: user.id,
  name: user.name,
  phone: user.phone,
  email: user.email,
  active: user.active,
  created_at: wireTime(user.createdAt),
});

export function servePeople(router: Router, context: Context): void {
  serveShoppers(router, context);
  serveAdministrators(router, context);
}

function serveShoppers(router: Router, context: Context): void {
  const administrator = withAdministrator(context);
  const BASE = "/administration/shoppers/:mode";
  const readUserId = (request: Request): string => pathParameter(request, "user");

  serve(router, BASE, {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const { search } = parse(searchQuerySchema, request.query);
      const shoppers = await listUsers(context, { mode: readPathMode(request), search });
      succeed(response, "Shoppers retrieved", {
        shoppers: shoppers.map((user) => ({ ...toShopper(user), currencies: user.currencies })),
      });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const fields = parse(createShopperRequestSchema, request.body);
      const mode = readPathMode(request);
      const { user, pin } = await createUser(context, { ...fields, mode, administrator: by });
      succeed(response, "Shopper created", { user_id: user.id, pin });
    }),
  });

  serve(router, `${BASE}/:user`, {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const mode = readPathMode(request);
      const user = await requireUser(context, mode, readUserId(request));
      const wallets = await listWallets(context, { mode, owner: { user: user.id } });
      succeed(response, "Shopper retrieved", {
        ...toShopper(user),
        wallets: wallets.map(({ id, balance, closedAt }) => ({
          account_id: id,
          currency: balance.currency.code,
          balance: toConsoleMoney(balance),
          closed_at: closedAt && wireTime(closedAt),
        })),
      });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { active } = parse(activeRequestSchema, request.body);
      const change = { mode: readPathMode(request), user: readUserId(request), administrator: by };
      const { changed } = await setUserActive(context, { ...change, active });
      succeed(response, "Done", { changed });
    }),
  });

  serve(router, `${BASE}/:user/wallets`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { open, currency } = parse(changeShopperWalletRequestSchema, request.body);
      const wallet = { mode: readPathMode(request), currency, owner: { user: readUserId(request) } };
      const change = open ? openWallet : closeWallet;
      const { changed } = await change(context, { ...wallet, administrator: by });
      succeed(response, "Wallet changed", { changed });
    }),
  });

  serve(router, `${BASE}/:user/reset-pin`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const change = { mode: readPathMode(request), user: readUserId(request), administrator: by };
      const { user, pin } = await resetPin(context, change);
      succeed(response, "PIN reset", { user_id: user.id, pin });
    }),
  });
}

function serveAdministrators(router: Router, context: Context): void {
  const administrator = withAdministrator(context);
  const BASE = "/administration/administrators";

  serve(router, BASE, {
    get: administrator({ fresh: false }, async (_by, _request, response) => {
      const administrators = await listAdministrators(context);
      succeed(response, "Administrators retrieved", {
        administrators: administrators.map(({ id, email, createdAt, disabledAt }) => ({
          user_id: id,
          email,
          created_at: wireTime(createdAt),
          disabled_at: disabledAt && wireTime(disabledAt),
        })),
      });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { email } = parse(administratorRequestSchema, request.body);
      const added = await addAdministrator(context, { email, administrator: by });
      const secret =
        added.outcome === "added"
          ? { id: added.id, password: added.password }
          : { id: added.request, password: added.passwordHalf };
      succeed(response, "Done", { outcome: added.outcome, email: added.email, ...secret });
    }),
  });

  serve(router, `${BASE}/disable`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { email } = parse(administratorRequestSchema, request.body);
      const { changed } = await disableAdministrator(context, { email, administrator: by });
      succeed(response, "Done", { changed });
    }),
  });

  serve(router, `${BASE}/enable`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { email } = parse(administratorRequestSchema, request.body);
      const result = await enableAdministrator(context, { email, administrator: by });
      succeed(response, "Done", {
        outcome: "requested",
        id: result.request,
        email: result.email,
        password: result.passwordHalf,
      });
    }),
  });
}
