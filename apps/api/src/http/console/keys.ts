import {
  type ConsoleCredential,
  connectRequestSchema,
  consoleCredentialChangeSchema,
  consoleCredentialRequestSchema,
  consoleRotateRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { approveConnection, listConnections } from "../../identity/connections.js";
import {
  issueCredential,
  renameCredential,
  revokeCredentialAs,
  rotateCredentialAs,
} from "../../identity/credentials/change.js";
import { type ListedCredential, listCredentials } from "../../identity/credentials/list.js";
import type { IssuedCredential } from "../../identity/credentials/manage.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { withRight, withRightInMode } from "./caller.js";

const BASE = "/merchants/:merchant/:mode/credentials";

const STANDINGS = {
  active: "active",
  "rotated out": "rotated_out",
  expired: "expired",
  revoked: "revoked",
} as const;

const toCredential = (credential: ListedCredential): ConsoleCredential => ({
  credential_id: credential.id,
  kind: credential.kind,
  scope: credential.kind === "client" ? "pay" : "partner",
  client_id: credential.clientId,
  name: credential.name,
  read_only: credential.readOnly,
  order_only: credential.orderOnly,
  reports_only: credential.reportsOnly,
  created_by: credential.createdBy,
  standing: STANDINGS[credential.standing],
  created_at: wireTime(credential.createdAt),
  expires_at: credential.expiresAt && wireTime(credential.expiresAt),
  last_used_at: credential.lastUsedAt && wireTime(credential.lastUsedAt),
  last_used_address: credential.lastUsedAddress,
  sites: credential.sites,
});

const toSecret = (
  { id, kind, clientId, secret }: IssuedCredential,
  oldSecretExpiresAt: Date | null = null,
) => ({
  credential_id: id,
  kind,
  client_id: clientId,
  secret,
  old_secret_expires_at: oldSecretExpiresAt && wireTime(oldSecretExpiresAt),
});

/** Serves a merchant's API keys. Every change checks that the user's role may manage the key. */
export function serveCredentials(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, BASE, {
    get: allowed("credentials.view", async ({ merchantId: merchant, mode }, _request, response) => {
      const credentials = await listCredentials(context, { merchant, mode });
      succeed(response, "Credentials retrieved", { credentials: credentials.map(toCredential) });
    }),
    post: allowed(
      "credentials.reports",
      async ({ merchantId: merchant, mode, by, role }, request, response) => {
        const requested = parse(consoleCredentialRequestSchema, request.body);
        const {
          kind,
          name,
          read_only: readOnly,
          order_only: orderOnly,
          reports_only: reportsOnly,
        } = requested;
        const key = { merchant, mode, kind, name, readOnly, orderOnly, reportsOnly };
        const credential = await issueCredential(context, { ...key, role, administrator: by });
        succeed(response, "Credential created", toSecret(credential));
      },
    ),
  });

  serve(router, `${BASE}/:credential`, {
    post: allowed("credentials.reports", async ({ by: administrator, role, ...of }, request, response) => {
      const credential = pathParameter(request, "credential");
      const { name } = parse(consoleCredentialChangeSchema, request.body);
      const renamed = await renameCredential(context, { credential, of, name, administrator, role });
      succeed(response, "Credential renamed", renamed);
    }),
  });

  serve(router, `${BASE}/:credential/rotate`, {
    post: allowed("credentials.reports", async ({ by: administrator, role, ...of }, request, response) => {
      const { overlap_seconds: overlapSeconds } = parse(consoleRotateRequestSchema, request.body);
      const credential = pathParameter(request, "credential");
      const by = { administrator, role };
      const rotated = await rotateCredentialAs(context, { credential, of, overlapSeconds, ...by });
      succeed(response, "Secret rotated", toSecret(rotated, rotated.oldSecretExpiresAt));
    }),
  });

  serve(router, `${BASE}/:credential/revoke`, {
    post: allowed("credentials.reports", async ({ by: administrator, role, ...of }, request, response) => {
      const credential = pathParameter(request, "credential");
      succeed(response, "Done", await revokeCredentialAs(context, { credential, of, administrator, role }));
    }),
  });
}

/** Serves a merchant's connected shops. The path has no mode, because a shop can have credentials for both modes. */
export function serveConnections(router: Router, context: Context): void {
  const allowed = withRight(context);
  serve(router, "/merchants/:merchant/connections", {
    get: allowed("credentials.view", async ({ merchantId }, _request, response) => {
      const connections = await listConnections(context, merchantId);
      succeed(response, "Connections retrieved", {
        connections: connections.map(({ id, platform, shopName, shopOrigin, exchangedAt }) => ({
          connection_id: id,
          platform,
          shop_name: shopName,
          shop_origin: shopOrigin,
          connected_at: wireTime(exchangedAt),
        })),
      });
    }),
    post: allowed("credentials.money", async (access, request, response) => {
      const return_to = await approveConnection(context, access, parse(connectRequestSchema, request.body));
      succeed(response, "Connection authorized", { return_to });
    }),
  });
}
