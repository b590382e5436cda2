import {
  consoleCredentialListResponseSchema,
  consoleCredentialSecretResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { consolePage } from "#server/console-page.ts";
import { curlLine, getReference, type ReferenceGroup } from "#server/reference.ts";
import { readMode } from "#server/request.ts";
import { DeveloperTabs } from "#views/developers.tsx";
import { Button, ConfirmedForm, SecondFactorField } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Code, Slashes } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { groups: ReferenceGroup[]; base: string; clientId: string | null };

export default function ReferencePage({ groups, base, clientId }: Props): ReactNode {
  const { page, t, merchant } = useMerchantPage();
  const { secret } = page;
  const shown = secret?.kind === "credential" ? secret : null;
  const filled = {
    base,
    clientId: shown?.clientId ?? clientId ?? "CLIENT_ID",
    secret: shown?.secret ?? "CLIENT_SECRET",
  };
  return (
    <Frame title={t("reference.title")} tools={<DeveloperTabs current="reference" />}>
      <Card>
        {shown ? (
          <p className="box good" data-testid="filled">
            {t("reference.filled")}
          </p>
        ) : (
          <p>{t(clientId === null ? "reference.noKey" : "reference.paste", { id: clientId ?? "" })}</p>
        )}
        <p>
          <a href={`${base}/docs`}>{t("reference.whole")}</a> · <a href={`${base}/openapi.json`}>OpenAPI</a>
        </p>
        {merchant.mode === "sandbox" && hasRight(merchant.role, "credentials.change") && !shown ? (
          <ConfirmedForm label={t("reference.try")} testId="try-key" action="try">
            <input
              type="hidden"
              name="may"
              value={hasRight(merchant.role, "credentials.money") ? "all" : "orders"}
            />
            <p>{t("reference.tryText")}</p>
            <SecondFactorField />
            <Button>{t("reference.try")}</Button>
          </ConfirmedForm>
        ) : null}
      </Card>
      {groups.map(({ name, operations }) => (
        <Card key={name} title={<span lang="en">{name}</span>}>
          {operations.map((operation) => (
            <details key={operation.id} className="operation" data-operation={operation.id}>
              <summary>
                <code>
                  {operation.method} <Slashes text={operation.path} />
                </code>{" "}
                <span className="soft" lang="en">
                  {operation.summary}
                </span>
              </summary>
              <Code id={operation.id} text={curlLine(operation, filled)} />
            </details>
          ))}
        </Card>
      ))}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => {
    const mode = readMode({ mode: part("mode") });
    if (mode === null) return null;
    const { credentials } = await read(apiPath("credentials"), consoleCredentialListResponseSchema);
    const active = credentials.find(({ kind, standing }) => kind === "client" && standing === "active");
    return {
      groups: getReference(mode),
      base: settings().apiPublicOrigin,
      clientId: active?.client_id ?? null,
    };
  },
  actions: {
    try: async ({ change, apiPath, consolePath }, form) => {
      const fields = { kind: "client", order_only: form.get("may") === "orders" };
      const created = await change(apiPath("credentials"), consoleCredentialSecretResponseSchema, fields);
      const secret = { kind: "credential" as const, clientId: created.client_id, secret: created.secret };
      return { to: consolePath("developers", "reference"), flash: { secret } };
    },
  },
});
