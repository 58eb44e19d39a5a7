import { useState } from 'react'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { Status } from '../../ui/status.tsx'
import { browserChannel } from '../browser-channel.ts'

/** Turns on notifications of this browser. */
export function BrowserCard() {
  const { projectId } = useAccount()
  const [isOn, setOn] = useState(() => browserChannel.isOn(projectId))
  const [blocked, setBlocked] = useState(browserChannel.blocked)
  const turnOn = async () => {
    const permission = await Notification.requestPermission()
    setBlocked(browserChannel.blocked())
    if (permission !== 'granted') return
    browserChannel.set(projectId, true)
    setOn(true)
    toast('This browser shows alerts of this project.', { undo: turnOff })
  }
  const turnOff = () => {
    browserChannel.set(projectId, false)
    setOn(false)
  }
  return (
    <li className="flex flex-col gap-2 rounded-md border border-line p-3">
      <h3 className="flex flex-wrap items-center justify-between gap-2">
        This browser {isOn && <Status tone="ok">on</Status>}
      </h3>
      <p className="flex-1 text-ink-2">
        Shows notifications while any tab of Spool is open, each once for all tabs. The choice is stored in
        this browser.
      </p>
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button aria-label="Test this browser" onClick={browserChannel.test}>
              Send test
            </Button>
            <Button look="quiet" aria-label="Turn off this browser" onClick={turnOff}>
              Turn off
            </Button>
          </>
        ) : (
          <Button reason={blocked} aria-label="Turn on this browser" onClick={() => void turnOn()}>
            Turn on
          </Button>
        )}
      </div>
    </li>
  )
}
