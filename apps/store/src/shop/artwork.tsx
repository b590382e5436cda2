import type { ReactElement } from "react";

/** Colours of the drawings; they stay the same in the dark, like photographs. */
const clay = "#c8704a";
const clayDark = "#9f5233";
const oat = "#efe3cf";
const oatDark = "#d8c6a8";
const moss = "#71805a";
const mossDark = "#56633f";
const ink = "#2d3a45";
const inkDark = "#1e2830";

const drawings: Record<string, ReactElement> = {
  "morning-mug": (
    <>
      <path d="M138 88h26a22 22 0 0 1 0 52h-26" fill="none" stroke={oatDark} strokeWidth="12" />
      <path d="M62 70h82v68a26 26 0 0 1-26 26H88a26 26 0 0 1-26-26z" fill={oat} />
      <path d="M62 128h82v10a26 26 0 0 1-26 26H88a26 26 0 0 1-26-26z" fill={clay} />
      <ellipse cx="103" cy="70" rx="41" ry="9" fill={oatDark} />
      <ellipse cx="103" cy="71" rx="34" ry="6" fill="#5a3b28" />
      <path
        d="M92 50c-6-8 6-12 0-22M112 50c-6-8 6-12 0-22"
        stroke={oat}
        strokeWidth="4"
        fill="none"
        strokeLinecap="round"
      />
    </>
  ),
  "pour-over-dripper": (
    <>
      <path d="M48 58h104l-34 62H82z" fill={ink} />
      <path d="M48 58h104l-8 14H56z" fill={inkDark} />
      <path d="M70 72l18 48M100 72v48M130 72l-18 48" stroke={inkDark} strokeWidth="4" />
      <rect x="64" y="120" width="72" height="10" rx="5" fill={clay} />
      <path d="M74 130h52v26a12 12 0 0 1-12 12H86a12 12 0 0 1-12-12z" fill={oat} />
      <path d="M100 132v14" stroke="#5a3b28" strokeWidth="4" strokeLinecap="round" />
    </>
  ),
  "breakfast-bowl": (
    <>
      <path d="M40 92h120c0 42-26 66-60 66S40 134 40 92z" fill={moss} />
      <path d="M46 122c10 24 30 36 54 36s44-12 54-36z" fill={mossDark} />
      <ellipse cx="100" cy="92" rx="60" ry="14" fill={oat} />
      <circle cx="80" cy="90" r="7" fill={clay} />
      <circle cx="98" cy="95" r="6" fill="#3f4d78" />
      <circle cx="112" cy="88" r="6" fill="#3f4d78" />
      <circle cx="126" cy="93" r="7" fill={clay} />
      <rect x="78" y="156" width="44" height="9" rx="4" fill={mossDark} />
    </>
  ),
  "tall-carafe": (
    <>
      <path
        d="M84 34h34l10-6v14c-4 22 16 36 16 70v34a20 20 0 0 1-20 20H78a20 20 0 0 1-20-20v-34c0-34 26-48 26-78z"
        fill={clay}
      />
      <path d="M58 118h86v28a20 20 0 0 1-20 20H78a20 20 0 0 1-20-20z" fill={clayDark} />
      <ellipse cx="102" cy="35" rx="18" ry="5" fill={clayDark} />
      <path
        d="M70 104c4-14 12-22 16-34"
        stroke={oat}
        strokeWidth="4"
        fill="none"
        strokeLinecap="round"
        opacity=".6"
      />
    </>
  ),
  "espresso-pair": (
    <g transform="translate(0 18)">
      <path d="M36 88h54v34a16 16 0 0 1-16 16H52a16 16 0 0 1-16-16z" fill={ink} />
      <path d="M36 118h54v4a16 16 0 0 1-16 16H52a16 16 0 0 1-16-16z" fill={inkDark} />
      <ellipse cx="63" cy="88" rx="27" ry="6" fill={inkDark} />
      <path
        d="M108 78h54v34a16 16 0 0 1-16 16h-22a16 16 0 0 1-16-16z"
        fill={clay}
        transform="translate(0 12)"
      />
      <path d="M108 120h54v4a16 16 0 0 1-16 16h-22a16 16 0 0 1-16-16z" fill={clayDark} />
      <ellipse cx="135" cy="90" rx="27" ry="6" fill={clayDark} />
      <ellipse cx="63" cy="146" rx="34" ry="6" fill={oatDark} />
      <ellipse cx="135" cy="148" rx="34" ry="6" fill={oatDark} />
    </g>
  ),
  "bud-vase": (
    <>
      <path
        d="M100 84C98 60 104 44 96 24"
        stroke={mossDark}
        strokeWidth="4"
        fill="none"
        strokeLinecap="round"
      />
      <path d="M99 62c10-2 18-10 20-20-12 0-20 8-20 20zM98 48c-8-2-14-8-16-18 10 0 16 8 16 18z" fill={moss} />
      <circle cx="96" cy="24" r="10" fill="#d9a441" />
      <path
        d="M91 82h18v22c22 10 28 26 28 38a26 26 0 0 1-26 26H89a26 26 0 0 1-26-26c0-12 6-28 28-38z"
        fill={clay}
      />
      <path d="M63 142a26 26 0 0 0 26 26h22a26 26 0 0 0 26-26c-20 10-54 10-74 0z" fill={clayDark} />
      <ellipse cx="100" cy="82" rx="9" ry="3" fill={clayDark} />
    </>
  ),
  "sill-planter": (
    <>
      <path
        d="M100 96C84 84 76 64 80 40c16 10 24 32 20 56zM100 96c2-26 14-42 34-50 2 22-10 42-34 50zM98 96C84 96 66 88 58 72c18-4 34 6 40 24z"
        fill={moss}
      />
      <path d="M100 96c-2-18-10-36-18-50" stroke={mossDark} strokeWidth="3" fill="none" />
      <path d="M60 96h80l-8 54a10 10 0 0 1-10 8H78a10 10 0 0 1-10-8z" fill={oat} />
      <path d="M56 90h88v16H56z" fill={oatDark} />
      <rect x="56" y="158" width="88" height="10" rx="5" fill={clay} />
    </>
  ),
  "glaze-notebook": (
    <>
      <rect x="56" y="36" width="92" height="128" rx="6" fill={ink} />
      <rect x="56" y="36" width="16" height="128" rx="6" fill={inkDark} />
      <rect x="84" y="56" width="50" height="34" rx="3" fill={oat} />
      <path d="M92 68h34M92 78h22" stroke={ink} strokeWidth="3" strokeLinecap="round" />
      <circle cx="96" cy="116" r="9" fill={clay} />
      <circle cx="118" cy="116" r="9" fill={moss} />
      <circle cx="96" cy="138" r="9" fill={oat} />
      <circle cx="118" cy="138" r="9" fill="#d9a441" />
    </>
  ),
};

const backgrounds: Record<string, string> = {
  "morning-mug": "#b9c6bd",
  "pour-over-dripper": "#cfd6d3",
  "breakfast-bowl": "#dfd6b9",
  "tall-carafe": "#cbd8d6",
  "espresso-pair": "#e4d5bd",
  "bud-vase": "#d8dcc6",
  "sill-planter": "#c9d3c4",
  "glaze-notebook": "#e2cdb8",
};

/** The drawing of a product. It says nothing that the name beside it does not say, so it is hidden from readers. */
export function Artwork({ name }: { name: string | null }): ReactElement {
  const known = name ?? "";
  return (
    <svg className="artwork" viewBox="0 0 200 200" aria-hidden="true" focusable="false">
      {/* Larger than the view: where a picture is wider than high, its ground goes on. */}
      <rect x="-100" y="-100" width="400" height="400" fill={backgrounds[known] ?? oatDark} />
      <ellipse cx="100" cy="168" rx="62" ry="8" fill="#000" opacity=".12" />
      {drawings[known]}
    </svg>
  );
}

/** The sign of Kiln & Clover: a clover over an arch. */
export function BrandMark(): ReactElement {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M4 30V17a12 12 0 0 1 24 0v13h-7V18a5 5 0 0 0-10 0v12z" fill="currentColor" />
      <circle cx="16" cy="4.5" r="3" fill={moss} />
      <circle cx="12.6" cy="8.6" r="3" fill={moss} />
      <circle cx="19.4" cy="8.6" r="3" fill={moss} />
    </svg>
  );
}
