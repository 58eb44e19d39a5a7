import { capture, forget, identify } from './analytics.js'
import { onSubmit } from './layout.js'

const key = 'lumen-and-loom-account'

show()
onSubmit('#login', ({ email }) => {
  localStorage.setItem(key, email)
  identify(email)
  capture('signed_in')
  show()
})
document.querySelector('#logout').addEventListener('click', () => {
  localStorage.removeItem(key)
  capture('signed_out')
  forget()
  show()
})

function show() {
  const email = localStorage.getItem(key)
  document.querySelector('#login').hidden = email !== null
  document.querySelector('#welcome').hidden = email === null
  document.querySelector('#email').textContent = email ?? ''
}
