import { connection, isHealthy } from './connection.ts'

const name = 'PageFileMissing'

/**
 * Rewords failures to load a part of the dashboard's code, which browsers describe by its URL; call once. The device is
 * offline, or a new version of the service has other files.
 */
export function watchPageFiles(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = name
    payload.message =
      'A part of the dashboard could not be loaded. Check your connection, then reload the page.'
    void isServiceReachable()
  })
}

export function isPageFileMissing(error: unknown): boolean {
  return error instanceof Error && error.name === name
}

/** Reloads the page if the service responds: otherwise, the browser would replace the page by its own error. */
export async function reloadWhenReachable(): Promise<void> {
  if (await isServiceReachable()) location.reload()
}

async function isServiceReachable(): Promise<boolean> {
  const isReachable = await isHealthy()
  if (!isReachable) connection.failed()
  return isReachable
}
