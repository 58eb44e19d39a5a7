import { connection, useConnection } from '../api/connection.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/icon.tsx'

/** Shown while the service does not respond. */
export function ConnectionBanner() {
  const state = useConnection()
  return (
    <output className="sticky block top-0 z-10 print:hidden">
      {state !== 'up' && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-short bg-raised px-4 py-1.5 sm:px-6">
          <span className="text-short-ink">
            <Icon name="alert" />
          </span>
          <p className="min-w-0 flex-1">
            <strong className="font-semibold">
              {state === 'offline' ? 'This device is offline.' : 'The service does not respond.'}
            </strong>{' '}
            This page may be out of date. It reconnects automatically, and nothing that you typed is lost.
          </p>
          <Button onClick={() => void connection.probe()}>Try now</Button>
        </div>
      )}
    </output>
  )
}
