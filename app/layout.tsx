import liveFace from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2';
import recordFace from '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { appearanceCookie, parseAppearance, rootAttributes, rootRule } from '@/components/ui/appearance';
import { Providers } from '@/components/ui/providers';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Tidemark', template: '%s · Tidemark' },
  icons: { icon: '/icon.svg' },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  // The composer stays above the keyboard of a phone.
  interactiveWidget: 'resizes-content',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbf9f5' },
    { media: '(prefers-color-scheme: dark)', color: '#181512' },
  ],
};

/** Every page is made for its request: a prerendered one would carry no nonce, and the policy would stop its scripts. */
export const dynamic = 'force-dynamic';

/** The look of this device comes with the request, so the first frame is right; the nonce is the one our own server wrote. */
export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const appearance = parseAppearance((await cookies()).get(appearanceCookie)?.value);
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1];
  return (
    <html lang="en" suppressHydrationWarning {...rootAttributes(appearance)}>
      <head>
        {/* Two faces only: the others are seldom on the first screen, and each more would hold back the page. */}
        <link rel="preload" href={liveFace} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={recordFace} as="font" type="font/woff2" crossOrigin="anonymous" />
        <style nonce={nonce} suppressHydrationWarning>
          {rootRule(appearance)}
        </style>
      </head>
      <body>
        <Providers appearance={appearance}>{children}</Providers>
      </body>
    </html>
  );
}
