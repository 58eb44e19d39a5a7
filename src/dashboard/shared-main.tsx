import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { reelLengths } from './recordings/highlights/reel-lengths.ts'
import { SharedRecordingPage } from './recordings/sharing/shared-recording-page.tsx'
import { Toaster } from './ui/feedback/toaster.tsx'
import { loadPreferences } from './words/preferences.ts'

/* The page of a shared recording. It is small, because anyone may open it on any device: it has neither router nor queries. */

loadPreferences()

const [, kind, token = ''] = location.pathname.split('/')
const search = new URLSearchParams(location.search)
const at = Number(search.get('t') ?? 0)
const reel = reelLengths.find((seconds) => String(seconds) === search.get('reel'))
// React sets the title of each state.
document.querySelector('title')?.remove()
const root = document.getElementById('root')
if (!root) throw new Error('shared.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <SharedRecordingPage
      token={decodeURIComponent(token)}
      at={at > 0 ? at : undefined}
      reel={reel}
      isEmbedded={kind === 'embedded'}
    />
    <Toaster />
  </StrictMode>,
)
