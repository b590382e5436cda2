import {
  type ConsoleCredential,
  type ConsoleRight,
  consoleCredentialChangedResponseSchema,
  consoleCredentialListResponseSchema,
  consoleCredentialSecretResponseSchema,
  consoleRevokedCredentialResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { config as settings } from "#config.ts";
import { wordPressSettings } from "#server/connect.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, rejectField, requiredField, textField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { DeveloperTabs } from "#views/developers.tsx";
import {
  Button,
  Confirmation,
  ConfirmedForm,
  Field,
  Form,
  SecondFactorField,
  Select,
  useRedisplayed,
} from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Code, Empty, EndTime, Table, Time } from "#views/parts.tsx";
import { ConnectShop } from "#views/setup-path.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

const kindSchema = z.enum(["client", "api_token"]);
const maySchema = z.enum(["orders", "read", "reports", "all"]);
/** The right required to create or change a key, by the key's permissions. */
const RIGHTS = {
  orders: "credentials.change",
  read: "credentials.change",
  reports: "credentials.reports",
  all: "credentials.money",
} as const satisfies Record<z.infer<typeof maySchema>, ConsoleRight>;
/** Seconds for which the old secret stays valid after a rotation. */
const OVERLAPS = { now: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
const overlapSchema = z.enum(["now", "hour", "day", "week"]);

type Props = { credentials: ConsoleCredential[]; base: string };

export default function DevelopersPage({ credentials, base }: Props): ReactNode {
  const { page, t, merchant } = useMerchantPage();
  const { secret } = page;
  const allowed = maySchema.options.filter((may) => hasRight(merchant.role, RIGHTS[may]));
  const changes = allowed.length > 0;
  const mayMoveMoney = allowed.includes("all");
  return (
    <Frame title={t("nav.developers")} tools={<DeveloperTabs current="keys" />}>
      {secret?.kind === "credential" ? (
        <Card title={t("credentials.new")} testId="secret">
          <p>{t("secret.once")}</p>
          {secret.clientId === null ? null : (
            <Code id="client-id" text={secret.clientId} label={t("credentials.clientId")} />
          )}
          <Code
            id="client-secret"
            text={secret.secret}
            label={t(secret.clientId === null ? "credentials.token" : "credentials.secret")}
          />
        </Card>
      ) : null}
      {changes ? (
        <ConfirmedForm label={t("credentials.create")} testId="make-credential" action="make">
          <Select
            name="kind"
            label={t("credentials.kind")}
            choices={kindSchema.options.map((kind) => ({ value: kind, text: t(`credentials.${kind}`) }))}
          />
          <Select
            name="may"
            label={t("credentials.may")}
            {...(mayMoveMoney ? { value: "all" } : { hint: t("credentials.ownersOnly") })}
            choices={allowed.map((may) => ({ value: may, text: t(`credentials.may.${may}`) }))}
          />
          <Field name="name" label={t("credentials.name")} hint={t("credentials.nameHint")} optional />
          <SecondFactorField />
          <Button>{t("credentials.create")}</Button>
        </ConfirmedForm>
      ) : null}
      <ConnectShop base={base} clientId={findShopClientId(credentials) ?? "CLIENT_ID"} />
      {credentials.length === 0 ? (
        <Empty title={t("credentials.none")}>
          <p>{t("credentials.noneText")}</p>
        </Empty>
      ) : (
        <Card title={t("credentials.title")}>
          <Table
            caption={t("credentials.title")}
            rows={credentials}
            keyOf={({ credential_id }) => credential_id}
            columns={[
              {
                title: t("credentials.kind"),
                cell: ({ kind, name, client_id, ...permissions }) => (
                  <>
                    {name === null ? null : <strong className="name">{name}</strong>}{" "}
                    {t(`credentials.${kind}`)}{" "}
                    <span className="soft whole">{t(`credentials.may.${getPermission(permissions)}`)}</span>
                    {client_id ? <code className="id">{client_id}</code> : null}
                  </>
                ),
              },
              {
                title: t("list.status"),
                cell: ({ standing, expires_at }) => (
                  <>
                    <Badge status={standing} />{" "}
                    {standing === "rotated_out" && expires_at ? (
                      <span className="soft">
                        {t("list.until")} <EndTime at={expires_at} />
                      </span>
                    ) : null}
                  </>
                ),
              },
              {
                title: t("credentials.lastUsed"),
                cell: ({ last_used_at: at, last_used_address: address, sites }) =>
                  at === null ? (
                    t("list.never")
                  ) : (
                    <>
                      <Time at={at} /> {address ? <span className="soft">{address}</span> : null}
                      {sites.length > 1 ? (
                        <p>
                          <span className="badge late">{t("credentials.severalSites")}</span>{" "}
                          <span className="soft">{t("credentials.sites", { sites: sites.join(", ") })}</span>
                        </p>
                      ) : null}
                    </>
                  ),
              },
              {
                title: t("list.created"),
                cell: ({ created_at, created_by }) => (
                  <>
                    <Time at={created_at} /> {created_by ? <span className="soft">{created_by}</span> : null}
                  </>
                ),
              },
              ...(changes
                ? [
                    {
                      title: t("list.actions"),
                      cell: (credential: ConsoleCredential) => <ChangeCredential credential={credential} />,
                    },
                  ]
                : []),
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

/** Finds the client ID of an active Pay API key with full access. */
const findShopClientId = (credentials: ConsoleCredential[]): string | null | undefined =>
  credentials.find(
    ({ client_id, standing, read_only, order_only }) =>
      client_id && standing === "active" && !read_only && !order_only,
  )?.client_id;

const getPermission = ({
  read_only,
  order_only,
  reports_only,
}: Pick<ConsoleCredential, "read_only" | "order_only" | "reports_only">) =>
  reports_only ? "reports" : read_only ? "read" : order_only ? "orders" : "all";

function ChangeCredential({ credential }: { credential: ConsoleCredential }): ReactNode {
  const { t, merchant } = useMerchantPage();
  const wasRedisplayed = useRedisplayed(["rename", "rotate", "revoke"], credential.credential_id);
  const permission = getPermission(credential);
  const may = (right: ConsoleRight) => hasRight(merchant.role, right);
  const mayRotate = may(RIGHTS[permission]);
  // Anyone who may change keys may revoke any key.
  if (!mayRotate && !may("credentials.change")) return null;
  if (credential.standing === "revoked" || credential.standing === "expired") return null;
  return (
    <Confirmation label={t("list.change")} open={wasRedisplayed}>
      <Form action="rename" of={credential.credential_id}>
        <Field name="name" label={t("credentials.name")} value={credential.name ?? ""} optional />
        <Button kind="quiet">{t("credentials.rename")}</Button>
      </Form>
      {credential.standing === "active" && mayRotate ? (
        <Form action="rotate" of={credential.credential_id}>
          <Select
            name="overlap"
            label={t("credentials.overlap")}
            value="day"
            choices={overlapSchema.options.map((value) => ({ value, text: t(`overlap.${value}`) }))}
          />
          <SecondFactorField />
          <Button>{t("credentials.rotate")}</Button>
        </Form>
      ) : null}
      <Form action="revoke" of={credential.credential_id}>
        <p>{t("credentials.revokeText")}</p>
        <SecondFactorField />
        <Button kind="danger">{t("credentials.revoke")}</Button>
      </Form>
    </Confirmation>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath }) => ({
    ...(await read(apiPath("credentials"), consoleCredentialListResponseSchema)),
    base: settings().apiPublicOrigin,
  }),
  actions: {
    wordpress: wordPressSettings(() => settings().apiPublicOrigin, "developers"),
    make: async ({ change, apiPath, consolePath }, form) => {
      const kind = choiceField(form, "kind", kindSchema);
      const may = choiceField(form, "may", maySchema);
      if ((may === "orders" || may === "reports") && kind !== "client")
        rejectField("may", "credentials.needClient");
      const fields = {
        kind,
        name: textField(form, "name"),
        read_only: may === "read",
        order_only: may === "orders",
        reports_only: may === "reports",
      };
      const created = await change(apiPath("credentials"), consoleCredentialSecretResponseSchema, fields);
      return { to: consolePath("developers"), flash: { secret: toSecret(created) } };
    },
    rename: async ({ change, apiPath, consolePath }, form) => {
      const path = apiPath("credentials", requiredField(form, "of"));
      await change(path, consoleCredentialChangedResponseSchema, { name: textField(form, "name") });
      return done(consolePath("developers"), "credentials.renamed");
    },
    rotate: async ({ change, apiPath, consolePath }, form) => {
      const path = apiPath("credentials", requiredField(form, "of"), "rotate");
      const overlap_seconds = OVERLAPS[choiceField(form, "overlap", overlapSchema)];
      const created = await change(path, consoleCredentialSecretResponseSchema, { overlap_seconds });
      return { to: consolePath("developers"), flash: { secret: toSecret(created) } };
    },
    revoke: async ({ change, apiPath, consolePath }, form) => {
      const path = apiPath("credentials", requiredField(form, "of"), "revoke");
      await change(path, consoleRevokedCredentialResponseSchema);
      return done(consolePath("developers"), "credentials.revoked");
    },
  },
});

const toSecret = (created: z.infer<typeof consoleCredentialSecretResponseSchema>["data"]) => ({
  kind: "credential" as const,
  clientId: created.client_id,
  secret: created.secret,
});
