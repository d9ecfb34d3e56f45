;; Does in Emacs what a task says, and writes what came of it.  The settings are those of the page.
;; In batch mode nobody is idle and no command ends, so what hangs on that is called here.
(require 'eglot)
(require 'json)
(setq-default eglot-sync-connect 300 eglot-connect-timeout 300 eglot-confirm-server-edits nil
      case-fold-search nil make-backup-files nil create-lockfiles nil auto-save-default nil)

(defvar task
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8)) (insert-file-contents (getenv "TASK")))
    (json-parse-buffer :object-type 'alist)))
(defvar result nil)
(defun task (key) (alist-get key task))
(defun report (key value) (push (cons key value) result))

(defun ask (method &optional params)
  (eglot--signal-textDocument/didChange)
  (jsonrpc-request (eglot-current-server) method
                   (or params (eglot--TextDocumentPositionParams)) :timeout 300))

(defun wait (purpose test)
  (let ((rounds 0))
    (while (not (funcall test))
      (when (> (setq rounds (1+ rounds)) 2000) (error "Waited in vain for %s" purpose))
      (accept-process-output nil 0.05)
      (when (bound-and-true-p flymake-mode) (flymake-start)))))

(defun open (path)
  (find-file path)
  (run-hooks 'post-command-hook)
  (wait "the server" (lambda () (and (eglot-current-server) (eglot-managed-p))))
  (flymake-mode 1))

(defun put-point (words inner)
  (goto-char (point-min))
  (search-forward words)
  (goto-char (+ (match-beginning 0) inner)))

(defun replace (words other)
  (put-point words 0)
  (delete-char (length words))
  (insert other)
  (eglot--signal-textDocument/didChange))

(defun line-with (words)
  (put-point words 0)
  (buffer-substring-no-properties (pos-bol) (pos-eol)))

(defun errors ()
  (seq-filter (lambda (each) (memq (flymake-diagnostic-type each) '(eglot-error :error)))
              (flymake-diagnostics)))

(defun run ()
  (let ((used (concat (task 'word) (task 'after)))
        (slipped (concat (task 'slip) (task 'after))))
    (open (task 'upper))
    (open (task 'lower))
    (report 'comment (concat comment-start "%s"))
    (goto-char (point-min))
    (insert (task 'unsaved) "\n")

    (replace used slipped)
    (wait "a finding" #'errors)
    (let ((finding (car (errors))))
      (report 'finding (buffer-substring-no-properties
                        (flymake-diagnostic-beg finding) (flymake-diagnostic-end finding))))

    (put-point slipped 1)
    (let ((action (seq-find (lambda (each) (equal (plist-get each :title) (task 'remedy)))
                            (eglot-code-actions (point) (point)))))
      (eglot-execute (eglot-current-server) action))
    (eglot--signal-textDocument/didChange)
    (wait "no finding" (lambda () (null (errors))))

    (put-point used 1)
    (report 'hover (plist-get (plist-get (ask :textDocument/hover) :contents) :value))

    (put-point used (length (task 'word)))
    (pcase-let* ((`(,start ,end ,table . ,more) (eglot-completion-at-point))
                 (label (seq-find (lambda (each) (equal (string-trim each) (task 'word)))
                                  (all-completions (buffer-substring start end) table)))
                 (before (buffer-string)))
      (delete-region start end)
      (goto-char start)
      (insert label)
      (funcall (plist-get more :exit-function) label 'finished)
      (report 'completed (line-with (task 'mark)))
      (erase-buffer)
      (insert before)
      (eglot--signal-textDocument/didChange))

    (replace (task 'format_from) (task 'format_to))
    (eglot-format-buffer)
    (eglot--signal-textDocument/didChange)

    (open (task 'upper))
    (put-point (task 'above) 1)
    (let ((place (xref-item-location
                  (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))))
      (save-current-buffer
        (set-buffer (marker-buffer (xref-location-marker place)))
        (goto-char (xref-location-marker place))
        (report 'definition (vector (file-name-nondirectory buffer-file-name)
                                    (buffer-substring-no-properties (pos-bol) (pos-eol))))))
    (put-point (task 'above) 1)
    (eglot-rename (task 'new))
    (save-some-buffers t)
    (report 'servers (length (apply #'append (hash-table-values eglot--servers-by-project))))))

(condition-case problem (run)
  (error (report 'problem (format "%S" problem))))
(with-temp-file (getenv "RESULT")
  (setq buffer-file-coding-system 'utf-8)
  (insert (json-encode result)))
(kill-emacs)
