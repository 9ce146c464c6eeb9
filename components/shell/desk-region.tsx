'use client';

import { type ReactNode, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { useShell } from './shell-context';

/** Draws its children in the Desk column, wherever in the page it stands; nothing while the Desk is closed. */
export function DeskRegion({ children }: { readonly children: ReactNode }) {
  const { deskHost, deskOpen, holdDesk } = useShell();
  useLayoutEffect(() => holdDesk(), [holdDesk]);
  return deskHost && deskOpen ? createPortal(children, deskHost) : null;
}
