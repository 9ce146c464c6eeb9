import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Testing Library cleans up by itself only where test globals are on; ours are off.
afterEach(cleanup);

// What a test waits for comes when the machine gets to it; its patience of one second fell on a busy one.
configure({ asyncUtilTimeout: 20_000 });
