import { setAnswerHeaders } from "@tillgate/service/web/headers";
import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { WALLET } from "#http/addresses.ts";
import { type Spoken, spokenBy } from "#http/page-locale.ts";
import { Frame } from "#views/frame.tsx";
import { WalletMark } from "#views/sign.tsx";
import { Speaking, useWords } from "#views/words.tsx";

export const config = { unstable_runtimeJS: false };

/** The root address: explains where a payment starts. */
export default function RootPage(spoken: Spoken): ReactNode {
  return (
    <Speaking {...spoken}>
      <Root />
    </Speaking>
  );
}

function Root(): ReactNode {
  const { texts } = useWords();
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

export const getServerSideProps: GetServerSideProps<Spoken> = async ({ req, res, resolvedUrl: address }) => {
  setAnswerHeaders(res, settings());
  return { props: spokenBy({ req, res, address }, settings(), null) };
};
