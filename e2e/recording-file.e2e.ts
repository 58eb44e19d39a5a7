import { expect } from '@playwright/test'
import { captureVisits } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test } from './journey.ts'

test('downloads a recording and imports it elsewhere, or as a copy; a damaged file says what to do', async ({
  page,
  service,
  tenant,
}, info) => {
  await captureVisits(service, tenant, [{ visitor: 'noor', minutesAgo: 20, errors: ['No lamp'] }])
  await signIn(page, service, tenant.api_key, '/recordings')
  await rowWith(page, 'noor')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^noor.*\.json\.zst$/)
  const path = info.outputPath(saved.suggestedFilename())
  await saved.saveAs(path)

  const field = page.getByLabel('File of a recording')
  const dialog = page.getByRole('dialog', { name: 'Import a recording' })
  await field.setInputFiles({ name: 'other.json.zst', mimeType: '', buffer: Buffer.from('not a recording') })
  await expect(dialog.getByRole('alert')).toContainText('Download the recording again')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await field.setInputFiles(path)
  await expect(dialog.getByRole('alert')).toContainText('the same session')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('import.png') })
  await dialog.getByRole('button', { name: 'Import as a copy' }).click()
  await expect(page).toHaveURL(/\/recordings\/[0-9a-f-]{36}/)
  await expect(page.getByRole('slider', { name: 'Playback position' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('noor')
})
