import { Head, Html, Main, NextScript } from "next/document";
import type { ReactNode } from "react";
import { texts } from "../texts";

export default function Document(): ReactNode {
  return (
    <Html lang={texts.language}>
      <Head>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={`/assets/page.css?v=${process.env.ASSET_VERSION}`} />
      </Head>
      <body>
        <Main />
        <NextScript />
      </body>
    </Html>
  );
}
