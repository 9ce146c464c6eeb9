'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Settings } from '@/server/contract/settings';
import { toMessage } from '../sync/api-client';
import { settingsQuery } from '../sync/queries';
import { Button } from '../ui/button';

/** Draws its children with the settings in force; says why while there are none. */
export function WithSettings({ children }: { readonly children: (settings: Settings) => ReactNode }) {
  const { data, error, refetch } = useQuery(settingsQuery());
  if (data) return children(data.settings);
  if (!error) return null;
  return (
    <div>
      <p className="mb-3 text-danger">{toMessage(error)}</p>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  );
}
