import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { WALLET } from "#http/addresses.ts";
import { type PageLocale, readPageLocale } from "#http/page-locale.ts";
import { Frame } from "#views/frame.tsx";
import { TextsProvider, useLocalization } from "#views/localization.tsx";
import { WalletMark } from "#views/status-icon.tsx";

export const config = { unstable_runtimeJS: false };

export default function RootPage(locale: PageLocale): ReactNode {
  return (
    <TextsProvider {...locale}>
      <Root />
    </TextsProvider>
  );
}

function Root(): ReactNode {
  const { texts } = useLocalization();
  return (
    <Frame title="Tillgate">
      <main className="page settled">
        <div className="card message">
          <WalletMark />
          <h1>Tillgate</h1>
          <p>{texts.root.explanation}</p>
          <a className="button main" href={WALLET}>
            {texts.account.title}
          </a>
        </div>
      </main>
    </Frame>
  );
}

export const getServerSideProps: GetServerSideProps<PageLocale> = async ({
  req,
  res,
  resolvedUrl: address,
}) => {
  setResponseHeaders(res, settings());
  return { props: readPageLocale({ req, res, address }, settings(), null) };
};
