import Head from "next/head";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function ConnectDonePage(): ReactNode {
  const { page, t } = usePage();
  const { secret } = page;
  if (secret?.kind !== "return")
    return (
      <Frame title={t("connect.gone")} narrow>
        <div className="card">
          <p>{t("connect.goneText")}</p>
        </div>
      </Frame>
    );
  const { address, shop } = secret;
  return (
    <Frame title={t("connect.done")} narrow>
      <Head>
        <meta httpEquiv="refresh" content={`0;url=${address}`} />
      </Head>
      <div className="card">
        <p>{t("connect.doneText", { shop })}</p>
        <a className="button main" href={address} data-testid="connect-back">
          {t("connect.back", { shop })}
        </a>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage({ load: async () => ({}) });
